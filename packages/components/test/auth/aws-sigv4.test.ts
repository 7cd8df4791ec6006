import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { signAwsSigV4 } from "../../src/auth/aws-sigv4.ts";
import { secret, toAuthRecipe } from "../outbound/network.ts";

const recipe = toAuthRecipe("aws", {
	type: "aws_sigv4",
	fields: ["access_key_id", "secret_access_key", "session_token", "region", "service"].map(secret),
	hosts: ["*.amazonaws.com"],
	inject: { session_token: "{session_token}", service: "{service}" },
});

interface Signing {
	readonly method?: string;
	readonly url: string;
	readonly headers?: Record<string, string>;
	readonly body?: string | Uint8Array;
	readonly fields: Record<string, string>;
	readonly time: string;
}

async function sign({ method = "GET", url, headers = {}, body, fields, time }: Signing) {
	const credential = { name: "aws", recipe, fields, key: "k" };
	assert.equal(recipe.type, "aws_sigv4");
	const request = { method, url: new URL(url), headers, body: body ?? null };
	const signed = await signAwsSigV4(credential, recipe.inject, request, Date.parse(time));
	const { authorization = "", ...others } = signed.headers ?? {};
	const [, scope, names, signature] =
		/^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
			authorization,
		) ?? [];
	return { scope, names, signature, headers: others, url: signed.url?.href, secrets: signed.secrets };
}

const s3 = {
	fields: {
		access_key_id: "AKIAIOSFODNN7EXAMPLE",
		secret_access_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		region: "us-east-1",
		service: "s3",
	},
	time: "2013-05-24T00:00:00Z",
};
const BUCKET = "https://examplebucket.s3.amazonaws.com";
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

describe("AWS signatures: the documented examples of S3", () => {
	test("GET object", async () => {
		const signed = await sign({ ...s3, url: `${BUCKET}/test.txt`, headers: { range: "bytes=0-9" } });
		assert.equal(signed.scope, "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request");
		assert.equal(signed.names, "host;range;x-amz-content-sha256;x-amz-date");
		assert.equal(signed.signature, "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
		assert.deepEqual(signed.headers, { "x-amz-date": "20130524T000000Z", "x-amz-content-sha256": EMPTY });
		assert.deepEqual(signed.secrets, [signed.signature]);
	});

	for (const path of ["/test$file.text", "/test%24file.text"]) {
		test(`PUT object, ${path}`, async () => {
			const signed = await sign({
				...s3,
				method: "PUT",
				url: BUCKET + path,
				headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
				body: "Welcome to Amazon S3.",
			});
			assert.equal(signed.names, "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class");
			assert.equal(signed.signature, "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
			assert.equal(signed.url, `${BUCKET}/test%24file.text`);
		});
	}

	test("GET bucket lifecycle: a name without a value", async () => {
		const signed = await sign({ ...s3, url: `${BUCKET}/?lifecycle` });
		assert.equal(signed.signature, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
	});

	test("GET bucket: the query in any order", async () => {
		for (const query of ["max-keys=2&prefix=J", "prefix=J&max-keys=2"]) {
			const signed = await sign({ ...s3, url: `${BUCKET}/?${query}` });
			assert.equal(signed.signature, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
		}
	});

	test("a path is encoded once, as it is sent", async () => {
		const [plain, escaped] = await Promise.all(
			["/a b/ü+(1)//x%2Fy", "/a%20b/%C3%BC%2B%281%29//x%2Fy"].map((path) =>
				sign({ ...s3, url: BUCKET + path }),
			),
		);
		assert.equal(plain?.url, `${BUCKET}/a%20b/%C3%BC%2B%281%29//x%2Fy`);
		assert.equal(plain?.signature, escaped?.signature);
	});

	test("bytes are signed like equal text", async () => {
		const url = `${BUCKET}/x`;
		const text = await sign({ ...s3, method: "PUT", url, body: "é" });
		const bytes = await sign({ ...s3, method: "PUT", url, body: new TextEncoder().encode("é") });
		assert.equal(text.signature, bytes.signature);
	});
});

const suite = {
	fields: {
		access_key_id: "AKIDEXAMPLE",
		secret_access_key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
		region: "us-east-1",
		service: "service",
	},
	time: "2015-08-30T12:36:00Z",
};
const UNRESERVED = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const TRIM = { "my-header1": " value1", "my-header2": ' "a   b   c"' };

type Vector = [
	name: string,
	method: string,
	target: string,
	headers: Record<string, string>,
	body: string,
	signature: string,
];
const vectors: Vector[] = [
	["get-vanilla", "GET", "/", {}, "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
	["get-slashes", "GET", "//", {}, "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
	[
		"get-relative",
		"GET",
		"/example/..",
		{},
		"",
		"5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
	],
	[
		"get-vanilla-query",
		"GET",
		"/?Param1=value1",
		{},
		"",
		"a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb",
	],
	[
		"get-vanilla-query-order-key-case",
		"GET",
		"/?Param2=value2&Param1=value1",
		{},
		"",
		"b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
	],
	[
		"get-vanilla-query-unreserved",
		"GET",
		`/?${UNRESERVED}=${UNRESERVED}`,
		{},
		"",
		"9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
	],
	[
		"get-vanilla-utf8-query",
		"GET",
		"/?ሴ=bar",
		{},
		"",
		"2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
	],
	[
		"get-header-value-trim",
		"GET",
		"/",
		TRIM,
		"",
		"acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
	],
	["post-vanilla", "POST", "/", {}, "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
	[
		"post-vanilla-query",
		"POST",
		"/?Param1=value1",
		{},
		"",
		"28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11",
	],
	[
		"post-header-key-sort",
		"POST",
		"/",
		{ "my-header1": "value1" },
		"",
		"c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c",
	],
	[
		"post-header-value-case",
		"POST",
		"/",
		{ "my-header1": "VALUE1" },
		"",
		"cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d",
	],
	[
		"post-x-www-form-urlencoded",
		"POST",
		"/",
		FORM,
		"Param1=value1",
		"ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
	],
];

describe("AWS signatures: the published test suite", () => {
	for (const [name, method, target, headers, body, signature] of vectors) {
		test(name, async () => {
			const own = { ...headers, accept: "*/*", "user-agent": "Tripline" };
			const signed = await sign({
				...suite,
				method,
				url: `https://example.amazonaws.com${target}`,
				headers: own,
				body,
			});
			assert.equal(signed.signature, signature);
			assert.equal(signed.scope, "AKIDEXAMPLE/20150830/us-east-1/service/aws4_request");
			assert.equal("x-amz-content-sha256" in signed.headers, false);
		});
	}

	test("post-sts-header-before", async () => {
		const session_token =
			"AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==";
		const fields = { ...suite.fields, session_token };
		const signed = await sign({ ...suite, fields, method: "POST", url: "https://example.amazonaws.com/" });
		assert.equal(signed.names, "host;x-amz-date;x-amz-security-token");
		assert.equal(signed.signature, "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead");
		assert.equal(signed.headers["x-amz-security-token"], session_token);
	});

	test("the documented example of IAM, ListUsers", async () => {
		const signed = await sign({
			...suite,
			fields: { ...suite.fields, service: "iam" },
			url: "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
			headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
		});
		assert.equal(signed.signature, "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7");
	});

	test("an encoded path is encoded again, except for S3", async () => {
		const url = "https://bedrock.amazonaws.com/model/a%3Ab/invoke";
		const signed = await sign({ ...suite, url });
		assert.equal(signed.url, url);
		const other = await sign({ ...suite, url: "https://bedrock.amazonaws.com/model/a:b/invoke" });
		assert.notEqual(signed.signature, other.signature);
	});
});
