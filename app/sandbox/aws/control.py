"""What S3 Control says of a whole account."""

from app.sandbox.aws import documents
from app.sandbox.aws.answers import Answerer, Json, Question
from app.sandbox.aws.errors import access_denied
from app.sandbox.aws.rules import NEW_BUCKET_PUBLIC_BLOCK
from app.sandbox.story import AWS_ACCOUNTS

_CLOSED = {account.account_id for account in AWS_ACCOUNTS if account.closed}


def public_access_block(question: Question) -> Json:
    """`GetPublicAccessBlock`; AwsRefusal for other accounts, and where none was ever set."""
    if question.params["AccountId"] != question.account_id:
        raise access_denied("s3:GetAccountPublicAccessBlock of another account")
    if question.account_id not in _CLOSED:
        raise documents.absent("GetPublicAccessBlock")
    return {"PublicAccessBlockConfiguration": NEW_BUCKET_PUBLIC_BLOCK}


ANSWERS: dict[str, Answerer] = {"s3control.GetPublicAccessBlock": public_access_block}
