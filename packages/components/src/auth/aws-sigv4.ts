import { hashSha256, signAwsRequest } from "@tripline/contract/aws-sigv4";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { type Credential, fillFields, fillRequired } from "./credential.ts";
import type { Authorized, AuthRequest } from "./request.ts";
import { digestContent } from "./sha256.ts";

type Inject = Extract<AuthRecipe, { type: "aws_sigv4" }>["inject"];

/** AWS Signature Version 4, in the Authorization header. */
export async function signAwsSigV4(
	credential: Credential,
	inject: Inject,
	request: AuthRequest,
	now: number,
): Promise<Authorized> {
	const key = {
		keyId: fillRequired("access key id", inject.access_key_id, credential),
		secret: fillRequired("secret access key", inject.secret_access_key, credential),
		sessionToken: fillFields(inject.session_token ?? "", credential),
		region: fillRequired("region", inject.region, credential),
		service: fillRequired("service", inject.service, credential),
	};
	const bodyHash = await hashBody(request, key.service === "s3");
	const { url, headers, signature } = await signAwsRequest(key, { ...request, bodyHash }, now);
	return { url, headers, secrets: [signature] };
}

/**
 * A streamed body is read twice if it must be hashed. S3 does not require that over https, where nobody can change the
 * body on its way.
 */
function hashBody({ body, url }: AuthRequest, isS3: boolean): Promise<string> | string {
	if (typeof body !== "object" || body === null || body instanceof Uint8Array) return hashSha256(body ?? "");
	return isS3 && url.protocol === "https:" ? "UNSIGNED-PAYLOAD" : digestContent(body.open());
}
