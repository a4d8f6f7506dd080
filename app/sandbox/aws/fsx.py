"""How FSx answers."""

from app.sandbox.aws.answers import Answerer, Json, Question, page_of
from app.sandbox.aws.file_parts import key_arn, subnet, tags, vpc
from app.sandbox.aws.story_fsx import CACHE, FILE_SYSTEMS, FileSystem
from app.sandbox.story import AWS_TRAINING, PDX, created_at, mixed

_MOST_LINKS = 25
_SETTINGS = {"LUSTRE": "Lustre", "ONTAP": "Ontap", "OPENZFS": "OpenZFS", "WINDOWS": "Windows"}


def file_systems(question: Question) -> Json:
    """`fsx:DescribeFileSystems`."""
    return page_of(question, "FileSystems", [_file_system(one) for one in _here(question)])


def associations(question: Question) -> Json:
    """`fsx:DescribeDataRepositoryAssociations` of file systems and caches."""
    rows = [
        {**one, "FileSystemId": found.file_system_id}
        for found in _here(question)
        for one in found.links
    ]
    if question.is_at(AWS_TRAINING, PDX):
        rows.append(_cache_link())
    return page_of(question, "Associations", rows, most=_MOST_LINKS)


def volumes(question: Question) -> Json:
    """`fsx:DescribeVolumes`."""
    rows = [
        {**one, "FileSystemId": found.file_system_id}
        for found in _here(question)
        for one in found.volumes
    ]
    return page_of(question, "Volumes", rows)


def machines(question: Question) -> Json:
    """`fsx:DescribeStorageVirtualMachines`."""
    rows = [
        {**one, "FileSystemId": found.file_system_id}
        for found in _here(question)
        for one in found.machines
    ]
    return page_of(question, "StorageVirtualMachines", rows)


def caches(question: Question) -> Json:
    """`fsx:DescribeFileCaches`."""
    rows = [_cache()] if question.is_at(AWS_TRAINING, PDX) else []
    return page_of(question, "FileCaches", rows)


def _here(question: Question) -> list[FileSystem]:
    return [one for one in FILE_SYSTEMS if question.is_at(one.account, one.region)]


def _file_system(one: FileSystem) -> Json:
    arn = f"arn:aws:fsx:{one.region}:{one.account.account_id}:file-system/{one.file_system_id}"
    key_id = {} if one.scratch else {"KmsKeyId": key_arn(one.account, one.region, one.own_key)}
    version = {"FileSystemTypeVersion": "2.15"} if one.kind == "LUSTRE" else {}
    return {
        "OwnerId": one.account.account_id,
        "CreationTime": one.created_at,
        "FileSystemId": one.file_system_id,
        "FileSystemType": one.kind,
        "Lifecycle": one.lifecycle,
        "StorageCapacity": one.capacity_gib,
        "StorageType": one.storage,
        "VpcId": vpc(one.region),
        "SubnetIds": [subnet(one.region, zone) for zone in one.zones],
        "DNSName": f"{one.file_system_id}.fsx.{one.region}.amazonaws.com",
        "ResourceARN": arn,
        "Tags": tags(one.name, one.tags),
        f"{_SETTINGS[one.kind]}Configuration": one.settings,
        "AdministrativeActions": list(one.actions),
        **version,
        **key_id,
    }


def _cache() -> Json:
    return {
        "OwnerId": AWS_TRAINING.account_id,
        "CreationTime": created_at(CACHE.name),
        "FileCacheId": CACHE.name,
        "FileCacheType": "LUSTRE",
        "FileCacheTypeVersion": "2.12",
        "Lifecycle": "AVAILABLE",
        "StorageCapacity": 2_400,
        "VpcId": vpc(PDX),
        "SubnetIds": [subnet(PDX, "a")],
        "DNSName": f"{CACHE.name}.fsx.{PDX}.amazonaws.com",
        "KmsKeyId": key_arn(AWS_TRAINING, PDX, own=True),
        "ResourceARN": f"arn:aws:fsx:{PDX}:{AWS_TRAINING.account_id}:file-cache/{CACHE.name}",
        "LustreConfiguration": {
            "PerUnitStorageThroughput": 1000,
            "DeploymentType": "CACHE_1",
            "MountName": "arch6ram",
            "MetadataConfiguration": {"StorageCapacity": 2_400},
        },
        "DataRepositoryAssociationIds": [_cache_link()["AssociationId"]],
    }


def _cache_link() -> Json:
    return {
        "AssociationId": f"dra-0{mixed('cache link'):08x}{mixed('madrid'):08x}",
        "Lifecycle": "AVAILABLE",
        "FileCacheId": CACHE.name,
        "FileCachePath": "/madrid",
        "DataRepositoryPath": "nfs://qumulo-mad1.cierzo.example/archive/",
        "NFS": {"Version": "NFS3"},
    }


ANSWERS: dict[str, Answerer] = {
    "fsx.DescribeFileSystems": file_systems,
    "fsx.DescribeDataRepositoryAssociations": associations,
    "fsx.DescribeVolumes": volumes,
    "fsx.DescribeStorageVirtualMachines": machines,
    "fsx.DescribeFileCaches": caches,
}
