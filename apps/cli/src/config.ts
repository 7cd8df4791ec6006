import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { parseEnv } from "node:util";
import { CliProblem } from "./command.ts";
import type { Io } from "./io.ts";
import { isPerService, readNamedService, toServiceVariable } from "./named-service.ts";
import { findNearest } from "./nearest.ts";
import { ENVIRONMENT_FILE, findProjectFolder, SETTINGS_FILE } from "./project.ts";
import { renderJsonLike, replaceFile } from "./replace-file.ts";
import {
	buildSettingHint,
	findValueProblem,
	isSettingName,
	SETTINGS,
	type SettingName,
	settingNames,
} from "./settings.ts";
import { unreadableProblem } from "./text-file.ts";

type Layer = "environment" | "project" | "global" | "default";

export interface Resolved {
	readonly value: string | null;
	readonly layer: Layer;
	/** The variable or file that the value comes from; null for a default. */
	readonly from: string | null;
}

export const projectPath = (io: Io): string => join(findProjectFolder(io), SETTINGS_FILE);
export const environmentPath = (io: Io): string => join(findProjectFolder(io), ENVIRONMENT_FILE);
export const globalPath = (io: Io): string => join(configHome(io), "tripline", "config.json");

/** The XDG base directory specification says to ignore a relative path. */
const configHome = ({ env, home }: Io): string =>
	isAbsolute(env.XDG_CONFIG_HOME ?? "") ? (env.XDG_CONFIG_HOME as string) : join(home, ".config");

/** Resolves a setting through its layers: environment (with `.env`), project file, global file, default. */
export function resolveSetting(io: Io, name: SettingName): Resolved {
	const service = isPerService(name) ? io.service : undefined;
	const variable = toServiceVariable(SETTINGS[name].variable, service);
	const real = io.env[variable];
	if (real !== undefined && real !== "") return { value: real, layer: "environment", from: variable };
	const fromFile = readEnvironmentFile(io)[variable];
	if (fromFile !== undefined && fromFile !== "")
		return { value: fromFile, layer: "environment", from: `${variable} in ${environmentPath(io)}` };
	for (const [layer, path] of [
		["project", projectPath(io)],
		["global", globalPath(io)],
	] as const) {
		const settings = readConfigFile(path);
		const value = service === undefined ? settings[name] : readNamedService(settings, service, path)[name];
		if (value !== undefined) return { value, layer, from: path };
	}
	const isAddress = service !== undefined && name === "base_url";
	return { value: isAddress ? null : SETTINGS[name].fallback, layer: "default", from: null };
}

/** Reads a setting that must be set and valid. Trailing slashes of an address are removed. */
export function requireSetting(io: Io, name: SettingName): string {
	const { value, from } = resolveSetting(io, name);
	const variable = toServiceVariable(SETTINGS[name].variable, isPerService(name) ? io.service : undefined);
	if (value === null)
		throw new CliProblem(`${name} is not set`, {
			hint: `set ${variable}, or run: tripline config set ${name} <value>`,
		});
	const problem = findValueProblem(name, value);
	if (problem !== null) throw new CliProblem(`${name} ${problem}`, { hint: `correct ${from ?? variable}` });
	return name.endsWith("_url") ? value.replace(/\/+$/, "") : value;
}

/** The variable of the executor's token. A named service has its own, so that no other service gets it. */
export const accessTokenVariable = (io: Io): string => toServiceVariable("SERVICE_ACCESS_TOKEN", io.service);

/** The names of the services in the config files. */
export const listServices = (io: Io): string[] =>
	[projectPath(io), globalPath(io)].flatMap((path) =>
		Object.keys((readConfigFile(path) as { services?: object }).services ?? {}),
	);

/** Reads a secret from the environment or from `.env`; config files hold no secrets. */
export function readSecret(io: Io, variable: string): string | undefined {
	return io.env[variable] || readEnvironmentFile(io)[variable] || undefined;
}

/** Changes or removes some settings in a config file and keeps the rest; false if nothing changed. */
export function saveSettings(
	path: string,
	changes: Readonly<Partial<Record<SettingName, string | undefined>>>,
): boolean {
	const settings = readConfigFile(path);
	const after = { ...settings, ...changes };
	if (JSON.stringify(after) === JSON.stringify(settings)) return false;
	replaceFile(path, renderJsonLike(readText(path), after));
	return true;
}

function readEnvironmentFile(io: Io): Readonly<Record<string, string | undefined>> {
	return parseEnv(readText(environmentPath(io)) ?? "");
}

/** The settings in a config file; none if the file does not exist. */
function readConfigFile(path: string): Readonly<Partial<Record<SettingName, string>>> {
	const text = readText(path);
	if (text === null) return {};
	const value = parseObject(text, path);
	for (const [name, setting] of Object.entries(value)) {
		// Another version may know more names, so only a name close to a known setting is an error.
		if (!isSettingName(name) && findNearest(name, settingNames) !== null)
			throw new CliProblem(`${path}: ${JSON.stringify(name)} is not a setting`, {
				hint: buildSettingHint(name),
			});
		if (isSettingName(name) && typeof setting !== "string")
			throw new CliProblem(`${path}: ${name} must be a string`, { hint: "write it in quotes" });
	}
	return value as Partial<Record<SettingName, string>>;
}

function parseObject(text: string, path: string): object {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
	} catch {
		// Reported below.
	}
	throw new CliProblem(`${path} is not a JSON object`, { hint: "correct it, or delete it" });
}

function readText(path: string): string | null {
	try {
		return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR") return null;
		throw unreadableProblem(path, error);
	}
}
