import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CliProblem } from "../command.ts";
import { globalPath } from "../config.ts";
import type { Io } from "../io.ts";
import { privateText } from "../private-file.ts";
import { replaceFile } from "../replace-file.ts";
import type { SecretName } from "./plan.ts";

/** What this machine stores about a deployment, because Cloudflare never shows a secret again. */
export interface Kept {
	/** The executor's address: the token is sent to no other. */
	readonly base_url: string | null;
	readonly secrets: Readonly<Partial<Record<SecretName, string>>>;
	/** The fingerprint of the executor that last seeded the recipes. */
	readonly seeded: string | null;
}

const folderOf = (io: Io): string => join(dirname(globalPath(io)), "deployments");

export const keptPath = (io: Io, accountId: string, prefix: string): string =>
	join(folderOf(io), `${accountId}.${prefix}.json`);

export function kept(path: string): Kept {
	const nothing: Kept = { base_url: null, secrets: {}, seeded: null };
	if (!existsSync(path)) return nothing;
	try {
		return { ...nothing, ...(JSON.parse(privateText(path, path)) as Partial<Kept>) };
	} catch (error) {
		if (error instanceof CliProblem) throw error;
		throw new CliProblem(`${path} is not JSON`, {
			hint: "it holds the deployment's secrets: restore it, or move it away and run tripline init",
		});
	}
}

/** Creates the file with mode 0600 before any content is written. */
export function keep(path: string, value: Kept): void {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	if (!existsSync(path)) writeFileSync(path, "{}\n", { flag: "wx", mode: 0o600 });
	replaceFile(path, `${JSON.stringify(value, null, "\t")}\n`);
}

/** A secret of the deployment at this address, if it was made on this machine. */
export function keptSecret(io: Io, baseUrl: string, name: SecretName): string | undefined {
	const folder = folderOf(io);
	if (!existsSync(folder)) return undefined;
	const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
	return files.map((file) => kept(join(folder, file))).find(({ base_url }) => base_url === baseUrl)?.secrets[
		name
	];
}
