import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
	modulusLength: 2048,
	privateKeyEncoding: { type: "pkcs8", format: "pem" },
	publicKeyEncoding: { type: "spki", format: "pem" },
});

export const TOKEN_URL = "https://oauth2.googleapis.com/token";
export const ACCESS_TOKEN = "test-google-access-token";

export const googleFields = (scope: string) => ({
	client_email: "robot@project.iam.gserviceaccount.com",
	private_key: privateKey,
	scope,
});

/** The response of Google's token endpoint to the form, at that time in seconds. */
export function googleToken(form: string, scope: string, now: number): { status: number; body: string } {
	const fields = new URLSearchParams(form);
	const [header = "", claims = "", signature = ""] = fields.get("assertion")?.split(".") ?? [];
	const isSigned = verify(
		"sha256",
		Buffer.from(`${header}.${claims}`),
		createPublicKey(publicKey),
		Buffer.from(signature, "base64url"),
	);
	const { alg } = JSON.parse(Buffer.from(header, "base64url").toString());
	const { iss, scope: asked, aud, iat, exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
	const isGranted =
		fields.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer" &&
		isSigned &&
		alg === "RS256" &&
		iss === "robot@project.iam.gserviceaccount.com" &&
		asked === scope &&
		aud === TOKEN_URL &&
		Math.abs(iat - now) <= 300 &&
		exp > now &&
		exp - iat <= 3600;
	return isGranted
		? {
				status: 200,
				body: JSON.stringify({ access_token: ACCESS_TOKEN, expires_in: 3599, token_type: "Bearer" }),
			}
		: { status: 400, body: JSON.stringify({ error: "invalid_grant" }) };
}
