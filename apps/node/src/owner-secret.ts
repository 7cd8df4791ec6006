import { join } from "node:path";
import { randomToken } from "@tripline/contract/ids";
import { isThere, readPrivate, writePrivate } from "./private-file.ts";
import { StartProblem } from "./settings.ts";

const LEAST_LENGTH = 16;

export const ownerSecretPath = (dataFolder: string): string => join(dataFolder, "keys", "owner.secret");

/** Reads the owner secret from its file and generates it at the first start. */
export function openOwnerSecret(dataFolder: string): string {
	const file = { path: ownerSecretPath(dataFolder), instead: "set MCP_OWNER_SECRET" };
	if (!isThere(file)) writePrivate(file, randomToken(24));
	const secret = readPrivate(file).trim();
	if (secret.length >= LEAST_LENGTH) return secret;
	throw new StartProblem(
		`${file.path} has fewer than ${LEAST_LENGTH} characters: delete it to generate a new one, or ${file.instead}`,
	);
}
