"""What the simulated organization of the bench holds: each document from a number alone."""

from datetime import UTC, datetime, timedelta

from app.sandbox.aws.answers import Json, Question, page_of

ACCOUNTS = tuple(f"{210_000_000_000 + 101 * number}" for number in range(20))
REGIONS = ("eu-central-1", "eu-west-1", "us-east-1", "us-west-2")
ROLE, EXTERNAL_ID = "AtalayaReader", "atalaya-bench"
OWN_KEY, MEMBER_KEY = "AKIAIOSFODNN7EXAMPLE", "ASIABENCH"
CELLS = tuple((account, region) for account in ACCOUNTS for region in REGIONS)
KINDS = (
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
BEGUN = datetime(2025, 1, 1, tzinfo=UTC)
ENDS = datetime(2099, 1, 1, tzinfo=UTC)
MACHINES = ("g5.12xlarge", "p5.48xlarge", "trn2.48xlarge")
VERSION = "1.34"


def caller_document(question: Question) -> Json:
    arn = f"arn:aws:iam::{question.account_id}:user/bench"
    return {"Account": question.account_id, "UserId": "AIDABENCH", "Arn": arn}


def assumed_document(question: Question) -> Json:
    account_id = str(question.params["RoleArn"]).split(":")[4]
    key = {"AccessKeyId": MEMBER_KEY + account_id, "SecretAccessKey": "bench"}
    return {"Credentials": {**key, "SessionToken": "bench", "Expiration": ENDS}}


def accounts_document(question: Question) -> Json:
    rows = [
        {
            "Id": account_id,
            "Arn": f"arn:aws:organizations::{ACCOUNTS[0]}:account/o-bench00000/{account_id}",
            "Name": f"team-{number}",
            "Status": "ACTIVE",
            "State": "ACTIVE",
            "JoinedTimestamp": BEGUN,
        }
        for number, account_id in enumerate(ACCOUNTS)
    ]
    return page_of(question, "Accounts", rows)


def regions_document(question: Question) -> Json:
    rows = [{"RegionName": name, "RegionOptStatus": "ENABLED_BY_DEFAULT"} for name in REGIONS]
    return page_of(question, "Regions", rows)


def at_document(number: int) -> datetime:
    return BEGUN + timedelta(minutes=number)


def id_document(prefix: str, number: int) -> str:
    return f"{prefix}-{number:017x}"


def tags_document(number: int) -> list[Json]:
    return [
        {"Key": "Name", "Value": f"resource-{number}"},
        {"Key": "owner", "Value": f"team-{number % 40}"},
        {"Key": "cost-center", "Value": f"ai-{number % 12}"},
    ]


def machine_document(number: int) -> str:
    return MACHINES[number // len(KINDS) % len(MACHINES)]


def launch_document(number: int, question: Question) -> Json:
    at, owner = at_document(number), question.account_id
    attachment = {"AttachTime": at, "DeviceIndex": 0, "NetworkCardIndex": 0, "Status": "attached"}
    machine = {
        "InstanceId": id_document("i", number),
        "InstanceType": machine_document(number),
        "ImageId": id_document("ami", number + 3),
        "LaunchTime": at,
        "State": {"Code": 16, "Name": "running"},
        "Placement": {"AvailabilityZone": f"{question.region}a", "Tenancy": "default"},
        "MetadataOptions": {"HttpEndpoint": "enabled", "HttpTokens": "required"},
        "NetworkInterfaces": [{"Attachment": attachment, "InterfaceType": "efa"}],
        "IamInstanceProfile": {"Arn": f"arn:aws:iam::{owner}:instance-profile/trainer"},
        "Tags": tags_document(number),
    }
    return {"ReservationId": id_document("r", number), "OwnerId": owner, "Instances": [machine]}


def volume_document(number: int, question: Question) -> Json:
    attachment = {
        "AttachTime": at_document(number),
        "DeleteOnTermination": True,
        "Device": "/dev/sda1",
        "InstanceId": id_document("i", number - 1),
        "State": "attached",
        "VolumeId": id_document("vol", number),
    }
    return {
        "VolumeId": id_document("vol", number),
        "VolumeType": "gp3",
        "Size": 500,
        "State": "in-use",
        "Encrypted": False,
        "SnapshotId": id_document("snap", number + 1),
        "AvailabilityZone": f"{question.region}a",
        "CreateTime": at_document(number),
        "Attachments": [attachment],
        "Tags": tags_document(number),
    }


def snapshot_document(number: int, question: Question) -> Json:
    return {
        "SnapshotId": id_document("snap", number),
        "VolumeId": id_document("vol", number - 1),
        "VolumeSize": 500,
        "FullSnapshotSizeInBytes": 1 << 38,
        "State": "completed",
        "StorageTier": "standard",
        "Encrypted": False,
        "OwnerId": question.account_id,
        "Progress": "100%",
        "StartTime": at_document(number),
        "Tags": tags_document(number),
    }


def image_document(number: int, question: Question) -> Json:
    disk = {"SnapshotId": id_document("snap", number - 1), "VolumeSize": 100, "VolumeType": "gp3"}
    return {
        "ImageId": id_document("ami", number),
        "Name": f"trainer-{number}",
        "State": "available",
        "Public": False,
        "OwnerId": question.account_id,
        "Architecture": "x86_64",
        "PlatformDetails": "Linux/UNIX",
        "RootDeviceType": "ebs",
        "CreationDate": f"{at_document(number):%Y-%m-%dT%H:%M:%S.000Z}",
        "BlockDeviceMappings": [{"DeviceName": "/dev/sda1", "Ebs": disk}],
        "Tags": tags_document(number),
    }


def reservation_document(number: int, question: Question) -> Json:
    return {
        "CapacityReservationId": id_document("cr", number),
        "OwnerId": question.account_id,
        "InstanceType": machine_document(number),
        "InstancePlatform": "Linux/UNIX",
        "AvailabilityZone": f"{question.region}a",
        "TotalInstanceCount": 4,
        "AvailableInstanceCount": number % 4,
        "State": "active",
        "StartDate": at_document(number),
        "CreateDate": at_document(number),
        "EndDateType": "unlimited",
        "InstanceMatchCriteria": "open",
        "ReservationType": "default",
        "Tags": tags_document(number),
    }


def subnets_document(question: Question) -> Json:
    wanted = [one for given in question.params["Filters"] for one in given["Values"]]
    zone = {"AvailabilityZone": f"{question.region}a"}
    return page_of(question, "Subnets", [{"SubnetId": one, **zone} for one in wanted], most=1000)


def cluster_document(question: Question) -> Json:
    name, where = question.params["name"], f"{question.region}:{question.account_id}"
    network = {"endpointPublicAccess": False, "endpointPrivateAccess": True}
    document = {
        "name": name,
        "arn": f"arn:aws:eks:{where}:cluster/{name}",
        "createdAt": BEGUN,
        "version": VERSION,
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


def nodegroup_document(question: Question) -> Json:
    cluster, where = question.params["clusterName"], f"{question.region}:{question.account_id}"
    group = {
        "nodegroupName": "workers",
        "nodegroupArn": f"arn:aws:eks:{where}:nodegroup/{cluster}/workers/1",
        "clusterName": cluster,
        "version": VERSION,
        "releaseVersion": f"{VERSION}.0-20251112",
        "createdAt": BEGUN,
        "status": "ACTIVE",
        "capacityType": "ON_DEMAND",
        "amiType": "AL2023_x86_64_NVIDIA",
        "instanceTypes": ["p5.48xlarge"],
        "scalingConfig": {"minSize": 0, "maxSize": 8, "desiredSize": 4},
        "health": {"issues": []},
    }
    return {"nodegroup": group}


def cluster_versions_document(_question: Question) -> Json:
    row = {
        "clusterVersion": VERSION,
        "clusterType": "eks",
        "defaultVersion": True,
        "endOfStandardSupportDate": ENDS,
        "endOfExtendedSupportDate": ENDS,
        "status": "standard-support",
        "versionStatus": "STANDARD_SUPPORT",
    }
    return {"clusterVersions": [row]}


def hyperpod_row_document(question: Question) -> Json:
    where = f"{question.region}:{question.account_id}"
    return {
        "ClusterArn": f"arn:aws:sagemaker:{where}:cluster/hyperpod00001",
        "ClusterName": "hyperpod",
        "ClusterStatus": "InService",
        "CreationTime": BEGUN,
    }


def hyperpod_document(question: Question) -> Json:
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
    return {**hyperpod_row_document(question), "InstanceGroups": [group], "VpcConfig": network}


def node_document(number: int) -> Json:
    return {
        "InstanceGroupName": "workers",
        "InstanceId": id_document("i", number),
        "NodeLogicalId": f"node-{number}",
        "InstanceType": "ml.p5.48xlarge",
        "LaunchTime": at_document(number),
        "InstanceStatus": {"Status": "Running"},
    }


def node_details_document(question: Question) -> Json:
    number = int(str(question.params["NodeId"]).removeprefix("i-"), 16)
    zone = {"AvailabilityZone": f"{question.region}a", "AvailabilityZoneId": "az1"}
    return {
        "NodeDetails": {**node_document(number), "PrivatePrimaryIp": "10.1.0.9", "Placement": zone}
    }
