import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import type { SeenRequest } from "./double.ts";

const AUTHORIZATION =
	/^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

/** Verifies the signature as S3 does: from the received request and the known secret. */
export function checkSigV4(
	{ method, url, headers, body }: Omit<SeenRequest, "body"> & { readonly body: string | Uint8Array },
	fields: Readonly<Record<string, string>>,
): void {
	const [, keyId, day = "", region = "", service = "", names = "", signature] =
		AUTHORIZATION.exec(headers.authorization ?? "") ?? [];
	const time = headers["x-amz-date"] ?? "";
	const isUnsigned = headers["x-amz-content-sha256"] === "UNSIGNED-PAYLOAD";
	const bodyHash = isUnsigned ? "UNSIGNED-PAYLOAD" : createHash("sha256").update(body).digest("hex");
	assert.equal(keyId, fields.access_key_id);
	assert.equal(region, fields.region);
	assert.equal(service, "s3");
	assert.equal(time.slice(0, 8), day);
	assert.equal(headers["x-amz-content-sha256"], bodyHash);
	const signed = names.split(";");
	for (const name of Object.keys(headers).filter((one) => one.startsWith("x-amz-") || one === "content-type"))
		assert.ok(signed.includes(name), `${name} is not signed`);

	const { pathname, search, host } = new URL(url);
	const values: Readonly<Record<string, string>> = { ...headers, host };
	const canonical = [
		method,
		pathname,
		search.slice(1).split("&").sort().join("&"),
		...signed.map((name) => `${name}:${values[name]}`),
		"",
		names,
		bodyHash,
	].join("\n");
	const scope = `${day}/${region}/${service}/aws4_request`;
	const toSign = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(canonical).digest("hex")].join(
		"\n",
	);
	const key = scope
		.split("/")
		.reduce<string | Buffer>(
			(above, part) => createHmac("sha256", above).update(part).digest(),
			`AWS4${fields.secret_access_key}`,
		);
	assert.equal(signature, createHmac("sha256", key).update(toSign).digest("hex"));
}
