import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CliProblem } from "../command.ts";
import { globalPath } from "../config.ts";
import type { Io } from "../io.ts";
import { readPrivateText } from "../private-file.ts";
import { replaceFile } from "../replace-file.ts";
import type { SecretName } from "./plan.ts";

/** What this machine stores about a deployment, because Cloudflare never shows a secret again. */
export interface SavedDeployment {
	/** The executor's address: the token is sent to no other. */
	readonly base_url: string | null;
	readonly secrets: Readonly<Partial<Record<SecretName, string>>>;
	/** The fingerprint of the executor that last seeded the recipes. */
	readonly seeded: string | null;
}

const getFolder = (io: Io): string => join(dirname(globalPath(io)), "deployments");

export const getSavedPath = (io: Io, accountId: string, prefix: string): string =>
	join(getFolder(io), `${accountId}.${prefix}.json`);

export function readSaved(path: string): SavedDeployment {
	const nothing: SavedDeployment = { base_url: null, secrets: {}, seeded: null };
	if (!existsSync(path)) return nothing;
	try {
		return { ...nothing, ...(JSON.parse(readPrivateText(path, path)) as Partial<SavedDeployment>) };
	} catch (error) {
		if (error instanceof CliProblem) throw error;
		throw new CliProblem(`${path} is not JSON`, {
			hint: "it holds the deployment's secrets: restore it, or move it away and run tripline init",
		});
	}
}

/** Creates the file with mode 0600 before any content is written. */
export function writeSaved(path: string, value: SavedDeployment): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	if (!existsSync(path)) writeFileSync(path, "{}\n", { flag: "wx", mode: 0o600 });
	replaceFile(path, `${JSON.stringify(value, null, "\t")}\n`);
}

/** A secret of the deployment at this address, if it was made on this machine. */
export function findSavedSecret(io: Io, baseUrl: string, name: SecretName): string | undefined {
	const folder = getFolder(io);
	if (!existsSync(folder)) return undefined;
	const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
	return files.map((file) => readSaved(join(folder, file))).find(({ base_url }) => base_url === baseUrl)
		?.secrets[name];
}
