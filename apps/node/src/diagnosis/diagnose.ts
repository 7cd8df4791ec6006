import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseSettings, type Settings, StartProblem } from "../settings.ts";
import { checkClients, checkHosts, checkPublicAddresses } from "./addresses.ts";
import { type Check, ok } from "./check.ts";
import { checkClock } from "./clock.ts";
import { checkDataFolder } from "./data-folder.ts";
import { openDatabases } from "./databases.ts";
import { checkDisk, type ReadDisk } from "./disk.ts";
import { checkMasterKey, checkOwnerSecret, split } from "./keys.ts";
import { checkPort } from "./ports.ts";
import { checkRunning } from "./running.ts";

/** Checks a deployment on this machine, running or stopped, and changes nothing. */
export async function diagnose(deps: {
	readonly variables: NodeJS.Dict<string>;
	readonly now: () => number;
	readonly readDisk: ReadDisk;
}): Promise<readonly Check[]> {
	const { now } = deps;
	let settings: Settings;
	try {
		settings = parseSettings(deps.variables);
	} catch (error) {
		if (error instanceof StartProblem) return [split("settings", error)];
		throw error;
	}
	const folder = resolve(settings.DATA_DIR);
	const dataFolder = checkDataFolder(folder);
	const databases = await openDatabases(settings, folder, now);
	try {
		const [disk, masterKey, port, storePort, addresses, hosts] = await Promise.all([
			checkDisk(findExisting(folder), deps.readDisk),
			checkMasterKey(settings, folder, databases.vault),
			checkPort(settings, "PORT", now),
			checkPort(settings, "STORE_PORT", now),
			checkPublicAddresses(settings, now),
			checkHosts(settings, now),
		]);
		const skews = [...addresses.clockSkewsMs, ...hosts.clockSkewsMs, databases.clockSkewMs ?? []].flat();
		return [
			ok("settings", "all are valid"),
			checkClock(folder, skews, now()),
			disk,
			dataFolder,
			masterKey,
			checkOwnerSecret(settings, folder),
			...databases.checks,
			port.check,
			storePort.check,
			...(port.url === null ? [] : await checkRunning(settings, port.url)),
			...addresses.checks,
			...hosts.checks,
			...(await checkConnecting(settings, port.url, addresses.checks)),
		];
	} finally {
		await databases.close();
	}
}

/** Only if the service answers: otherwise every client fails for the same reason. */
async function checkConnecting(
	settings: Settings,
	localUrl: string | null,
	addresses: readonly Check[],
): Promise<Check[]> {
	const { MCP_URL, BASE_URL, MCP_STATIC_TOKEN } = settings;
	const address = MCP_URL ?? BASE_URL;
	if (address === undefined) return localUrl === null ? [] : [await checkClients(localUrl, MCP_STATIC_TOKEN)];
	if (addresses.some(({ status }) => status === "problem")) return [];
	return [await checkClients(new URL(address).origin, MCP_STATIC_TOKEN)];
}

/** The folder, or the closest one above it that exists. */
function findExisting(folder: string): string {
	return existsSync(folder) || dirname(folder) === folder ? folder : findExisting(dirname(folder));
}
