"""The English words for what the product knows by code; they are the keys of the catalogues."""

from app.kit.i18n import mark

# A verdict as (shape, word).
VERDICTS: dict[str, tuple[str, str]] = {
    "compliant": ("pass", mark("Passes")),
    "non_compliant": ("fail", mark("Fails")),
    "waived": ("waived", mark("Waived")),
    "unknown": ("unknown", mark("Unknown")),
    "not_applicable": ("paused", mark("Does not apply")),
}
SEVERITIES: dict[str, str] = {
    "critical": mark("Critical"),
    "high": mark("High"),
    "medium": mark("Medium"),
    "low": mark("Low"),
    "informational": mark("Informational"),
}
PILLARS: dict[str, str] = {
    "cost": mark("Cost"),
    "reproducibility": mark("Reproducibility"),
    "residency": mark("Residency"),
    "lifecycle": mark("Lifecycle"),
    "utilisation": mark("Utilisation"),
}
PILLAR_ICONS: dict[str, str] = {
    "cost": "circle-dollar-sign",
    "reproducibility": "flask-conical",
    "residency": "globe",
    "lifecycle": "archive",
    "utilisation": "cpu",
}
# What a pillar without data needs first.
PILLAR_WAITS: dict[str, str] = {
    "cost": mark("Waits for a cost source."),
    "reproducibility": mark("Waits for a source of training runs."),
    "residency": mark("Waits for the first sweep of a storage source."),
    "lifecycle": mark("Waits for the first sweep of a storage source."),
    "utilisation": mark("Waits for a source of GPU metrics."),
}
TABS: dict[str, str] = {
    "open": mark("Open"),
    "snoozed": mark("Snoozed"),
    "waived": mark("Waived"),
    "resolved": mark("Resolved"),
    "all": mark("All"),
}
# A finding's state as (shape, word).
FINDING_STATES: dict[str, tuple[str, str]] = {
    "open": ("fail", mark("Open")),
    "snoozed": ("paused", mark("Snoozed")),
    "waived": ("waived", mark("Waived")),
    "resolved": ("pass", mark("Resolved")),
}
# What an API token with a scope may do.
SCOPES: dict[str, str] = {
    "resources:read": mark("Read storage and its history"),
    "findings:read": mark("Read findings"),
    "findings:write": mark("Assign, snooze and waive findings"),
    "policies:read": mark("Read policies and results"),
    "policies:write": mark("Change and try policies"),
    "connections:read": mark("Read connections and their rights"),
    "connections:write": mark("Add, change and delete connections"),
    "sweeps:write": mark("Ask for sweeps"),
    "jobs:write": mark("Register and end jobs"),
    "reports:read": mark("Read reports"),
    "reports:write": mark("Make reports"),
    "evidence:read": mark("Read evidence"),
    "tokens:write": mark("Make and revoke tokens"),
    "metrics:read": mark("Read the metrics of Atalaya itself"),
}
CLOSE_REASONS: dict[str, str] = {
    "compliant": mark("The resource is compliant now."),
    "not_applicable": mark("The policy no longer applies to the resource."),
    "resource_deleted": mark("The resource was deleted."),
    "policy_off": mark("The policy was switched off."),
}
FINDING_EVENTS: dict[str, str] = {
    "opened": mark("Opened"),
    "resolved": mark("Closed"),
    "assigned": mark("Assigned"),
    "snoozed": mark("Snoozed"),
    "snoozed ended": mark("Snooze ended"),
    "waived": mark("Waived"),
    "waived ended": mark("Waiver ended"),
    "waiver revoked": mark("Waiver revoked"),
    "comment": mark("Comment"),
}
POLICY_ACTIONS: dict[str, str] = {
    "policy.save": mark("Text saved"),
    "policy.set_mode": mark("Mode set"),
    "policy.set_params": mark("Parameters set"),
    "policy.delete": mark("Deleted"),
}
MODES: dict[str, str] = {
    "enforce": mark("Enforced"),
    "report": mark("Report only"),
    "off": mark("Switched off"),
}
KINDS: dict[str, str] = {
    "aws_account": mark("AWS account"),
    "azure_subscription": mark("Azure subscription"),
    "s3_bucket": mark("S3 bucket"),
    "azure_storage_account": mark("Azure storage account"),
    "azure_vm": mark("Azure virtual machine"),
    "azure_vm_scale_set": mark("Azure scale set"),
    "azure_disk": mark("Azure disk"),
    "azure_compute_region": mark("Azure compute region"),
    "cyclecloud_cluster": mark("CycleCloud cluster"),
    "eks_cluster": mark("EKS cluster"),
    "aks_cluster": mark("AKS cluster"),
    "batch_account": mark("Azure Batch account"),
    "batch_pool": mark("Azure Batch pool"),
    "ai_account": mark("Azure AI account"),
    "ml_workspace": mark("Azure Machine Learning workspace"),
    "ml_compute": mark("Azure Machine Learning compute"),
    "hyperpod_cluster": mark("HyperPod cluster"),
    "hyperpod_node": mark("HyperPod node"),
    "sagemaker_training_plan": mark("SageMaker training plan"),
    "ec2_instance": mark("EC2 instance"),
    "ec2_capacity_reservation": mark("EC2 capacity reservation"),
    "ebs_volume": mark("EBS volume"),
    "ebs_snapshot": mark("EBS snapshot"),
    "ec2_image": mark("EC2 image"),
    "fsx_file_system": mark("FSx file system"),
    "fsx_file_cache": mark("Amazon File Cache"),
    "efs_file_system": mark("EFS file system"),
    "azure_lustre_file_system": mark("Managed Lustre file system"),
    "azure_netapp_pool": mark("NetApp capacity pool"),
    "azure_netapp_volume": mark("NetApp volume"),
    "azure_qumulo_file_system": mark("Qumulo file system"),
    "datasync_task": mark("DataSync task"),
    "s3_access_point": mark("S3 access point"),
    "s3_multi_region_access_point": mark("S3 Multi-Region Access Point"),
    "s3_directory_bucket": mark("S3 directory bucket"),
    "s3_storage_lens_configuration": mark("S3 Storage Lens configuration"),
    "job": mark("Job"),
}
# How the machines of a cluster are paid for.
CAPACITIES: dict[str, str] = {
    "on_demand": mark("On demand"),
    "spot": mark("Spot"),
    "low_priority": mark("Low priority"),
    "capacity_block": mark("Capacity block"),
    "training_plan": mark("Training plan"),
    "unknown": mark("Not told"),
}
ORCHESTRATORS: dict[str, str] = {
    "eks": mark("EKS"),
    "aks": mark("AKS"),
    "batch": mark("Azure Batch"),
    "azure_ml": mark("Azure ML"),
    "slurm": mark("Slurm"),
    "grid_engine": mark("Grid Engine"),
    "pbs": mark("PBS"),
    "sagemaker": mark("SageMaker"),
    "kubernetes": mark("Kubernetes"),
    "none": mark("None"),
}
# What the loss of a disk, a server or a zone would cost a file system.
DURABILITIES: dict[str, str] = {
    "scratch": mark("Scratch"),
    "persistent": mark("One zone"),
    "multi_az": mark("Several zones"),
    "cache": mark("Cache"),
}
PROVIDERS: dict[str, str] = {
    "aws": mark("AWS"),
    "azure": mark("Azure"),
    "declared": mark("Declared"),
}
ROLES: dict[str, tuple[str, str]] = {
    "primary": ("ro-primary", mark("Primary")),
    "geo_pair": ("ro-pair", mark("Geo pair")),
    "replica": ("ro-replica", mark("Replica")),
    "member": ("ro-replica", mark("Member")),
}
ENCRYPTION: dict[str, str] = {
    "none": mark("None"),
    "provider_key": mark("Provider's key"),
    "customer_key": mark("Own key"),
}
# The result of a right that a collector uses, as (shape, word).
PERMISSIONS: dict[str, tuple[str, str]] = {
    "allowed": ("pass", mark("Allowed")),
    "denied": ("fail", mark("Denied")),
    "failed": ("warn", mark("Failed")),
    "not_tried": ("unknown", mark("Not tried")),
}
# How a sweep ended, as (shape, word).
SWEEP_STATES: dict[str, tuple[str, str]] = {
    "running": ("run", mark("Running")),
    "complete": ("pass", mark("Complete")),
    "partial": ("warn", mark("Partial")),
    "incomplete": ("warn", mark("Incomplete")),
    "failed": ("fail", mark("Failed")),
}
