"""An organization of any size, the same in every run: AWS's answers made from numbers alone.

Resource `n` is of the kind `n % 10` and lies in the cell `n // 10 % 80`, so that kinds, accounts
and regions hold the same number of resources, give or take one. Besides, each cell with HyperPod
nodes has the cluster that they belong to.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from app.sandbox.aws import modelled
from app.sandbox.aws.answers import Json, Question, page_of

ACCOUNTS = tuple(f"{210_000_000_000 + 101 * number}" for number in range(20))
REGIONS = ("eu-central-1", "eu-west-1", "us-east-1", "us-west-2")
ROLE, EXTERNAL_ID = "AtalayaReader", "atalaya-bench"
OWN_KEY, MEMBER_KEY = "AKIAIOSFODNN7EXAMPLE", "ASIABENCH"
_CELLS = tuple((account, region) for account in ACCOUNTS for region in REGIONS)
_KINDS = (
    "instance",
    "volume",
    "snapshot",
    "image",
    "reservation",
    "cluster",
    "node",
    "lustre",
    "elastic",
    "point",
)
_BEGUN = datetime(2025, 1, 1, tzinfo=UTC)
_ENDS = datetime(2099, 1, 1, tzinfo=UTC)
_MACHINES = ("g5.12xlarge", "p5.48xlarge", "trn2.48xlarge")
_PAGES: dict[str, Any] = {"token": "nextToken", "size": "maxResults"}
_EC2_PAGE = 1000
_VERSION = "1.34"


class Organization:
    """Answers every read of our collectors; an operation without rows has empty lists."""

    def __init__(self, resources: int) -> None:
        self._resources = resources
        self._answers: Mapping[str, Callable[[Question], Json]] = {
            "sts.GetCallerIdentity": _caller,
            "sts.AssumeRole": _assumed,
            "organizations.ListAccounts": _accounts,
            "account.ListRegions": _regions,
            "ec2.DescribeInstances": self._ec2("Reservations", "instance", _launch),
            "ec2.DescribeVolumes": self._ec2("Volumes", "volume", _volume),
            "ec2.DescribeSnapshots": self._ec2("Snapshots", "snapshot", _snapshot),
            "ec2.DescribeImages": self._ec2("Images", "image", _image),
            "ec2.DescribeCapacityReservations": self._ec2(
                "CapacityReservations", "reservation", _reservation
            ),
            "ec2.GetEbsEncryptionByDefault": lambda _: {"EbsEncryptionByDefault": True},
            "ec2.DescribeSubnets": _subnets,
            "eks.ListClusters": self._clusters,
            "eks.DescribeCluster": _cluster,
            "eks.ListNodegroups": lambda question: page_of(
                question, "nodegroups", ["workers"], **_PAGES
            ),
            "eks.DescribeNodegroup": _nodegroup,
            "eks.DescribeClusterVersions": _cluster_versions,
            "sagemaker.ListClusters": self._hyperpods,
            "sagemaker.DescribeCluster": _hyperpod,
            "sagemaker.ListClusterNodes": self._nodes,
            "sagemaker.DescribeClusterNode": _node_details,
            "fsx.DescribeFileSystems": self._lustres,
            "efs.DescribeFileSystems": self._elastics,
            "efs.DescribeLifecycleConfiguration": lambda _: {
                "LifecyclePolicies": [{"TransitionToIA": "AFTER_30_DAYS"}]
            },
            "efs.DescribeBackupPolicy": lambda _: {"BackupPolicy": {"Status": "ENABLED"}},
            "s3control.GetPublicAccessBlock": lambda _: {"PublicAccessBlockConfiguration": _BLOCK},
            "s3control.ListAccessPoints": self._points,
            "s3control.GetAccessPoint": _point_details,
            "s3control.GetAccessPointPolicyStatus": lambda _: {"PolicyStatus": {"IsPublic": False}},
        }

    def answer(self, service: str, action: str, question: Question) -> Json:
        """The result of one operation in boto3's words."""
        found = self._answers.get(f"{service}.{action}")
        return found(question) if found else modelled.empty_lists(service, action)

    def expected(self) -> int:
        """How many resources a whole sweep finds, HyperPod's clusters among them."""
        cells = {self._cell(number) for number in self._numbers("node")}
        return self._resources + len(cells)

    def _numbers(self, kind: str) -> range:
        return range(_KINDS.index(kind), self._resources, len(_KINDS))

    def _cell(self, number: int) -> tuple[str, str]:
        return _CELLS[number // len(_KINDS) % len(_CELLS)]

    def _here(self, question: Question, kind: str) -> list[int]:
        here = (question.account_id, question.region)
        if here not in _CELLS:
            return []
        first = _CELLS.index(here) * len(_KINDS) + _KINDS.index(kind)
        return list(range(first, self._resources, len(_CELLS) * len(_KINDS)))

    def _ec2(
        self, member: str, kind: str, row: Callable[[int, Question], Json]
    ) -> Callable[[Question], Json]:
        def answer(question: Question) -> Json:
            rows = [row(number, question) for number in self._here(question, kind)]
            return page_of(question, member, rows, most=_EC2_PAGE)

        return answer

    def _clusters(self, question: Question) -> Json:
        names = [f"cluster-{number}" for number in self._here(question, "cluster")]
        return page_of(question, "clusters", names, **_PAGES)

    def _hyperpods(self, question: Question) -> Json:
        rows = [_hyperpod_row(question)] if self._here(question, "node") else []
        return page_of(question, "ClusterSummaries", rows)

    def _nodes(self, question: Question) -> Json:
        rows = list(map(_node, self._here(question, "node")))
        return page_of(question, "ClusterNodeSummaries", rows)

    def _lustres(self, question: Question) -> Json:
        rows = [_lustre(number, question) for number in self._here(question, "lustre")]
        return page_of(question, "FileSystems", rows)

    def _elastics(self, question: Question) -> Json:
        rows = [_elastic(number, question) for number in self._here(question, "elastic")]
        pages: dict[str, Any] = {"token": "Marker", "size": "MaxItems", "next_token": "NextMarker"}
        return page_of(question, "FileSystems", rows, **pages)

    def _points(self, question: Question) -> Json:
        names = [f"point-{number}" for number in self._here(question, "point")]
        rows = [_point(name, question) for name in names]
        return page_of(question, "AccessPointList", rows, most=_EC2_PAGE)


def account_of(access_key: str) -> str:
    """The account that an access key acts in."""
    return access_key.removeprefix(MEMBER_KEY) if access_key != OWN_KEY else ACCOUNTS[0]


def _caller(question: Question) -> Json:
    arn = f"arn:aws:iam::{question.account_id}:user/bench"
    return {"Account": question.account_id, "UserId": "AIDABENCH", "Arn": arn}


def _assumed(question: Question) -> Json:
    account_id = str(question.params["RoleArn"]).split(":")[4]
    key = {"AccessKeyId": MEMBER_KEY + account_id, "SecretAccessKey": "bench"}
    return {"Credentials": {**key, "SessionToken": "bench", "Expiration": _ENDS}}


def _accounts(question: Question) -> Json:
    rows = [
        {
            "Id": account_id,
            "Arn": f"arn:aws:organizations::{ACCOUNTS[0]}:account/o-bench00000/{account_id}",
            "Name": f"team-{number}",
            "Status": "ACTIVE",
            "State": "ACTIVE",
            "JoinedTimestamp": _BEGUN,
        }
        for number, account_id in enumerate(ACCOUNTS)
    ]
    return page_of(question, "Accounts", rows)


def _regions(question: Question) -> Json:
    rows = [{"RegionName": name, "RegionOptStatus": "ENABLED_BY_DEFAULT"} for name in REGIONS]
    return page_of(question, "Regions", rows)


def _at(number: int) -> datetime:
    return _BEGUN + timedelta(minutes=number)


def _id(prefix: str, number: int) -> str:
    return f"{prefix}-{number:017x}"


def _tags(number: int) -> list[Json]:
    return [
        {"Key": "Name", "Value": f"resource-{number}"},
        {"Key": "owner", "Value": f"team-{number % 40}"},
        {"Key": "cost-center", "Value": f"ai-{number % 12}"},
    ]


def _machine(number: int) -> str:
    return _MACHINES[number // len(_KINDS) % len(_MACHINES)]


def _launch(number: int, question: Question) -> Json:
    at, owner = _at(number), question.account_id
    attachment = {"AttachTime": at, "DeviceIndex": 0, "NetworkCardIndex": 0, "Status": "attached"}
    machine = {
        "InstanceId": _id("i", number),
        "InstanceType": _machine(number),
        "ImageId": _id("ami", number + 3),
        "LaunchTime": at,
        "State": {"Code": 16, "Name": "running"},
        "Placement": {"AvailabilityZone": f"{question.region}a", "Tenancy": "default"},
        "MetadataOptions": {"HttpEndpoint": "enabled", "HttpTokens": "required"},
        "NetworkInterfaces": [{"Attachment": attachment, "InterfaceType": "efa"}],
        "IamInstanceProfile": {"Arn": f"arn:aws:iam::{owner}:instance-profile/trainer"},
        "Tags": _tags(number),
    }
    return {"ReservationId": _id("r", number), "OwnerId": owner, "Instances": [machine]}


def _volume(number: int, question: Question) -> Json:
    attachment = {
        "AttachTime": _at(number),
        "DeleteOnTermination": True,
        "Device": "/dev/sda1",
        "InstanceId": _id("i", number - 1),
        "State": "attached",
        "VolumeId": _id("vol", number),
    }
    return {
        "VolumeId": _id("vol", number),
        "VolumeType": "gp3",
        "Size": 500,
        "State": "in-use",
        "Encrypted": False,
        "SnapshotId": _id("snap", number + 1),
        "AvailabilityZone": f"{question.region}a",
        "CreateTime": _at(number),
        "Attachments": [attachment],
        "Tags": _tags(number),
    }


def _snapshot(number: int, question: Question) -> Json:
    return {
        "SnapshotId": _id("snap", number),
        "VolumeId": _id("vol", number - 1),
        "VolumeSize": 500,
        "FullSnapshotSizeInBytes": 1 << 38,
        "State": "completed",
        "StorageTier": "standard",
        "Encrypted": False,
        "OwnerId": question.account_id,
        "Progress": "100%",
        "StartTime": _at(number),
        "Tags": _tags(number),
    }


def _image(number: int, question: Question) -> Json:
    disk = {"SnapshotId": _id("snap", number - 1), "VolumeSize": 100, "VolumeType": "gp3"}
    return {
        "ImageId": _id("ami", number),
        "Name": f"trainer-{number}",
        "State": "available",
        "Public": False,
        "OwnerId": question.account_id,
        "Architecture": "x86_64",
        "PlatformDetails": "Linux/UNIX",
        "RootDeviceType": "ebs",
        "CreationDate": f"{_at(number):%Y-%m-%dT%H:%M:%S.000Z}",
        "BlockDeviceMappings": [{"DeviceName": "/dev/sda1", "Ebs": disk}],
        "Tags": _tags(number),
    }


def _reservation(number: int, question: Question) -> Json:
    return {
        "CapacityReservationId": _id("cr", number),
        "OwnerId": question.account_id,
        "InstanceType": _machine(number),
        "InstancePlatform": "Linux/UNIX",
        "AvailabilityZone": f"{question.region}a",
        "TotalInstanceCount": 4,
        "AvailableInstanceCount": number % 4,
        "State": "active",
        "StartDate": _at(number),
        "CreateDate": _at(number),
        "EndDateType": "unlimited",
        "InstanceMatchCriteria": "open",
        "ReservationType": "default",
        "Tags": _tags(number),
    }


def _subnets(question: Question) -> Json:
    wanted = [one for given in question.params["Filters"] for one in given["Values"]]
    zone = {"AvailabilityZone": f"{question.region}a"}
    return page_of(question, "Subnets", [{"SubnetId": one, **zone} for one in wanted], most=1000)


def _cluster(question: Question) -> Json:
    name, where = question.params["name"], f"{question.region}:{question.account_id}"
    network = {"endpointPublicAccess": False, "endpointPrivateAccess": True}
    document = {
        "name": name,
        "arn": f"arn:aws:eks:{where}:cluster/{name}",
        "createdAt": _BEGUN,
        "version": _VERSION,
        "platformVersion": "eks.12",
        "status": "ACTIVE",
        "resourcesVpcConfig": {**network, "publicAccessCidrs": [], "vpcId": "vpc-1"},
        "logging": {"clusterLogging": [{"types": ["api", "audit"], "enabled": True}]},
        "encryptionConfig": [],
        "health": {"issues": []},
        "upgradePolicy": {"supportType": "STANDARD"},
        "tags": {"owner": "platform", "purpose": "training"},
    }
    return {"cluster": document}


def _nodegroup(question: Question) -> Json:
    cluster, where = question.params["clusterName"], f"{question.region}:{question.account_id}"
    group = {
        "nodegroupName": "workers",
        "nodegroupArn": f"arn:aws:eks:{where}:nodegroup/{cluster}/workers/1",
        "clusterName": cluster,
        "version": _VERSION,
        "releaseVersion": f"{_VERSION}.0-20251112",
        "createdAt": _BEGUN,
        "status": "ACTIVE",
        "capacityType": "ON_DEMAND",
        "amiType": "AL2023_x86_64_NVIDIA",
        "instanceTypes": ["p5.48xlarge"],
        "scalingConfig": {"minSize": 0, "maxSize": 8, "desiredSize": 4},
        "health": {"issues": []},
    }
    return {"nodegroup": group}


def _cluster_versions(question: Question) -> Json:
    row = {
        "clusterVersion": _VERSION,
        "clusterType": "eks",
        "defaultVersion": True,
        "endOfStandardSupportDate": _ENDS,
        "endOfExtendedSupportDate": _ENDS,
        "status": "standard-support",
        "versionStatus": "STANDARD_SUPPORT",
    }
    return page_of(question, "clusterVersions", [row], **_PAGES)


def _hyperpod_row(question: Question) -> Json:
    where = f"{question.region}:{question.account_id}"
    return {
        "ClusterArn": f"arn:aws:sagemaker:{where}:cluster/hyperpod00001",
        "ClusterName": "hyperpod",
        "ClusterStatus": "InService",
        "CreationTime": _BEGUN,
    }


def _hyperpod(question: Question) -> Json:
    group = {
        "InstanceGroupName": "workers",
        "InstanceType": "ml.p5.48xlarge",
        "CurrentCount": 8,
        "TargetCount": 8,
        "Status": "InService",
        "ExecutionRole": f"arn:aws:iam::{question.account_id}:role/HyperPod",
        "ThreadsPerCore": 1,
    }
    network = {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1"]}
    return {**_hyperpod_row(question), "InstanceGroups": [group], "VpcConfig": network}


def _node(number: int) -> Json:
    return {
        "InstanceGroupName": "workers",
        "InstanceId": _id("i", number),
        "NodeLogicalId": f"node-{number}",
        "InstanceType": "ml.p5.48xlarge",
        "LaunchTime": _at(number),
        "InstanceStatus": {"Status": "Running"},
    }


def _node_details(question: Question) -> Json:
    number = int(str(question.params["NodeId"]).removeprefix("i-"), 16)
    zone = {"AvailabilityZone": f"{question.region}a", "AvailabilityZoneId": "az1"}
    return {"NodeDetails": {**_node(number), "PrivatePrimaryIp": "10.1.0.9", "Placement": zone}}


def _lustre(number: int, question: Question) -> Json:
    own_id, where = _id("fs", number), f"{question.region}:{question.account_id}"
    return {
        "OwnerId": question.account_id,
        "CreationTime": _at(number),
        "FileSystemId": own_id,
        "FileSystemType": "LUSTRE",
        "FileSystemTypeVersion": "2.15",
        "Lifecycle": "AVAILABLE",
        "StorageCapacity": 4800,
        "StorageType": "SSD",
        "VpcId": "vpc-1",
        "SubnetIds": ["subnet-1"],
        "ResourceARN": f"arn:aws:fsx:{where}:file-system/{own_id}",
        "LustreConfiguration": {
            "DeploymentType": "PERSISTENT_2",
            "PerUnitStorageThroughput": 250,
            "MountName": "bench",
            "DataCompressionType": "LZ4",
            "AutomaticBackupRetentionDays": 7,
        },
        "Tags": _tags(number),
    }


def _elastic(number: int, question: Question) -> Json:
    own_id, where = _id("fs", number), f"{question.region}:{question.account_id}"
    return {
        "OwnerId": question.account_id,
        "CreationToken": own_id,
        "FileSystemId": own_id,
        "FileSystemArn": f"arn:aws:elasticfilesystem:{where}:file-system/{own_id}",
        "CreationTime": _at(number),
        "LifeCycleState": "available",
        "NumberOfMountTargets": 3,
        "SizeInBytes": {
            "Value": 9000,
            "ValueInIA": 0,
            "ValueInStandard": 9000,
            "ValueInArchive": 0,
        },
        "PerformanceMode": "generalPurpose",
        "Encrypted": False,
        "ThroughputMode": "elastic",
        "FileSystemProtection": {"ReplicationOverwriteProtection": "ENABLED"},
        "Tags": _tags(number),
    }


_BLOCK = dict.fromkeys(
    ("BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets"), True
)


def _point(name: str, question: Question) -> Json:
    return {
        "Name": name,
        "Bucket": f"data-{question.account_id}",
        "BucketAccountId": question.account_id,
        "NetworkOrigin": "VPC",
        "VpcConfiguration": {"VpcId": "vpc-1"},
        "AccessPointArn": f"arn:aws:s3:{question.region}:{question.account_id}:accesspoint/{name}",
    }


def _point_details(question: Question) -> Json:
    row = _point(str(question.params["Name"]), question)
    return {**row, "PublicAccessBlockConfiguration": _BLOCK, "CreationDate": _BEGUN}
