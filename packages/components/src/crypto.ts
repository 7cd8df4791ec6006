import * as z from "zod";
import { define } from "./define.ts";

const ENCODINGS = ["hex", "base64", "base64url"] as const;
const DEFAULT_RANDOM_BYTES = 32;

/** The parameters that each operation accepts, and those that it requires. */
const USES = {
	uuid: { takes: [], needs: [] },
	sha256: { takes: ["value", "encoding"], needs: ["value"] },
	hmac_sha256: { takes: ["value", "key", "encoding"], needs: ["value", "key"] },
	random: { takes: ["bytes", "encoding"], needs: [] },
} as const satisfies Record<string, { takes: readonly string[]; needs: readonly string[] }>;

const wellFormed = () =>
	z.string().refine((value) => value.isWellFormed(), "must not contain a lone surrogate (half a character)");

const Params = z
	.strictObject({
		operation: z.enum(["uuid", "sha256", "hmac_sha256", "random"]).meta({ description: "What to generate" }),
		value: wellFormed().optional().meta({ description: "sha256, hmac_sha256: the text, encoded as UTF-8" }),
		key: wellFormed()
			.min(1, "must not be empty")
			.optional()
			.meta({ description: "hmac_sha256: the secret key" }),
		bytes: z
			.int()
			.min(1)
			.max(1024)
			.optional()
			.meta({ description: `random: number of bytes; default ${DEFAULT_RANDOM_BYTES}` }),
		encoding: z
			.enum(ENCODINGS)
			.optional()
			.meta({ description: "sha256, hmac_sha256, random: encoding of the result; default hex" }),
	})
	.superRefine(({ operation, ...given }, context) => {
		const { takes, needs }: { takes: readonly string[]; needs: readonly string[] } = USES[operation];
		for (const name of needs) {
			if (!Object.hasOwn(given, name)) {
				context.addIssue({
					code: "custom",
					path: ["operation"],
					message: `is ${operation}, which needs ${name}`,
				});
			}
		}
		for (const name of Object.keys(given)) {
			if (!takes.includes(name)) {
				context.addIssue({
					code: "custom",
					path: [name],
					message: `is not used by ${operation}; leave it out`,
				});
			}
		}
	});

export const cryptography = define({
	id: "crypto",
	title: "IDs, hashes, random values",
	description:
		"Generates IDs, hashes and random values: `uuid` a random ID (UUID version 4), `sha256` a hash, `hmac_sha256` a keyed hash (a signature), `random` random bytes that can serve as a secret.",
	params: Params,
	output: z.string(),
	examples: [
		{ title: "An ID", params: { operation: "uuid" } },
		{
			title: "A hash as 64 hexadecimal characters",
			input: { text: "abc" },
			params: { operation: "sha256", value: "{{input.text}}" },
			output: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		},
		{
			title: "A signature in base64",
			params: {
				operation: "hmac_sha256",
				key: "Jefe",
				value: "what do ya want for nothing?",
				encoding: "base64",
			},
			output: "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=",
		},
		{
			title: "A random value that is safe in a URL",
			params: { operation: "random", bytes: 16, encoding: "base64url" },
		},
		{
			title: "Signing needs a key",
			params: { operation: "hmac_sha256", value: "x" },
			error: 'parameter "operation" is hmac_sha256, which needs key',
		},
	],
	run({ params: { operation, value = "", key = "", bytes = DEFAULT_RANDOM_BYTES, encoding = "hex" } }) {
		switch (operation) {
			case "uuid":
				return crypto.randomUUID();
			case "sha256":
				return sha256(value).then((hash) => encode(hash, encoding));
			case "hmac_sha256":
				return hmacSha256(key, value).then((hash) => encode(hash, encoding));
			case "random":
				return encode(crypto.getRandomValues(new Uint8Array(bytes)), encoding);
		}
	},
});

const utf8 = (value: string) => new TextEncoder().encode(value);

const sha256 = async (value: string) => new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(value)));

async function hmacSha256(key: string, value: string): Promise<Uint8Array> {
	const algorithm = { name: "HMAC", hash: "SHA-256" };
	const secret = await crypto.subtle.importKey("raw", utf8(key), algorithm, false, ["sign"]);
	return new Uint8Array(await crypto.subtle.sign("HMAC", secret, utf8(value)));
}

function encode(bytes: Uint8Array, encoding: (typeof ENCODINGS)[number]): string {
	if (encoding === "hex") return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
	const base64 = btoa(String.fromCharCode(...bytes));
	if (encoding === "base64") return base64;
	return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
