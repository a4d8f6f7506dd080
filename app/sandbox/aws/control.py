"""What S3 Control says of a whole account."""

from app.sandbox.aws import documents
from app.sandbox.aws.errors import access_denied
from app.sandbox.aws.rules import NEW_BUCKET_PUBLIC_BLOCK
from app.sandbox.story import AWS_ACCOUNTS
from app.sandbox.wire import Answer, Request

_CLOSED = {account.account_id for account in AWS_ACCOUNTS if account.closed}


def public_access_block(request: Request, caller: str) -> Answer:
    """`GetPublicAccessBlock`; AwsRefusal for other accounts, and where none was ever set."""
    if request.headers.get("x-amz-account-id", "") != caller:
        raise access_denied("s3:GetAccountPublicAccessBlock of another account")
    if caller not in _CLOSED:
        raise documents.absent("GetPublicAccessBlock")
    switches = {"PublicAccessBlockConfiguration": NEW_BUCKET_PUBLIC_BLOCK}
    return documents.serialized("GetPublicAccessBlock", switches)
