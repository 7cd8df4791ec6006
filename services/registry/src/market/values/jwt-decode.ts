import { text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

export const jwtDecode = code({
	id: "jwt_decode",
	title: "Read a JWT",
	description: `Reads what is in a JSON Web Token: its header, its claims, and its times as ISO 8601.

Use it to see whose token it is or when it ends. **The signature is not checked**: anyone can make a token that reads the same, so decide nothing about access by it. \`Bearer \` in front does not matter.`,
	tags: ["jwt", "auth", "json"],
	params: params({ token: text("The token", { maxLength: 100_000 }) }, ["token"]),
	output: object(
		{
			header: { type: "object", description: "Algorithm, type, key id" },
			claims: { type: "object", description: "What the token says" },
			issued_at: orNull(text("iat as ISO 8601")),
			not_before: orNull(text("nbf as ISO 8601")),
			expires_at: orNull(text("exp as ISO 8601")),
		},
		"What the token says",
	),
	code: String.raw`
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const parts = input.token.trim().replace(/^Bearer\s+/i, "").split(".");
if (parts.length === 5) throw new Error("the token is encrypted (five parts): only who has the key can read it");
if (parts.length !== 3) throw new Error("a JWT has three parts with dots between them, this text has " + parts.length);
const header = partOf(0, "first");
const claims = partOf(1, "second");
return {
	header,
	claims,
	issued_at: timeOf(claims.iat),
	not_before: timeOf(claims.nbf),
	expires_at: timeOf(claims.exp),
};

function partOf(place, name) {
	try {
		const value = JSON.parse(decoded(parts[place]));
		if (value !== null && typeof value === "object" && !Array.isArray(value)) return value;
	} catch {}
	throw new Error("the " + name + " part of the token is no JSON object in Base64url");
}

function decoded(base64) {
	let escaped = "";
	let bits = 0;
	let count = 0;
	for (const character of base64.replace(/=+$/, "")) {
		const value = ALPHABET.indexOf(character);
		if (value === -1) throw new Error("no Base64url");
		bits = ((bits << 6) | value) & 0xffff;
		count += 6;
		if (count < 8) continue;
		count -= 8;
		escaped += "%" + ((bits >> count) & 0xff).toString(16).padStart(2, "0");
	}
	return decodeURIComponent(escaped);
}

function timeOf(seconds) {
	const isTime = typeof seconds === "number" && Math.abs(seconds) < 8.64e12;
	return isTime ? new Date(Math.floor(seconds) * 1000).toISOString() : null;
}
`,
	examples: [
		{
			title: "Whose token it is, and until when",
			params: {
				token:
					"Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJuYW1lIjoiQWRhIMOJLiIsImlhdCI6MTUxNjIzOTAyMiwiZXhwIjoxODAwMDAwMDAwfQ.c2lnbmF0dXJl",
			},
			output: {
				header: { alg: "HS256", typ: "JWT" },
				claims: { sub: "ada", name: "Ada É.", iat: 1516239022, exp: 1800000000 },
				issued_at: "2018-01-18T01:30:22.000Z",
				not_before: null,
				expires_at: "2027-01-15T08:00:00.000Z",
			},
		},
		{
			title: "Not a token",
			params: { token: "abc" },
			error: "a JWT has three parts with dots between them, this text has 1",
		},
		{
			title: "Not JSON",
			params: { token: "AAAA.e30.x" },
			error: "the first part of the token is no JSON object in Base64url",
		},
	],
});
