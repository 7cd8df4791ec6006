import { join } from "node:path";
import { randomToken } from "@tripline/contract/ids";
import { exists, readPrivate, writePrivate } from "./private-file.ts";
import { StartProblem } from "./settings.ts";

const MIN_SECRET_LENGTH = 16;

export const ownerSecretPath = (dataFolder: string): string => join(dataFolder, "keys", "owner.secret");

/** Reads the owner secret from its file and generates it at the first start. */
export function openOwnerSecret(dataFolder: string): string {
	const file = { path: ownerSecretPath(dataFolder), alternative: "set MCP_OWNER_SECRET" };
	if (!exists(file)) writePrivate(file, randomToken(24));
	const secret = readPrivate(file).trim();
	if (secret.length >= MIN_SECRET_LENGTH) return secret;
	throw new StartProblem(
		`${file.path} has fewer than ${MIN_SECRET_LENGTH} characters: delete it to generate a new one, or ${file.alternative}`,
	);
}
