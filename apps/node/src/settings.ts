import { availableParallelism } from "node:os";
import { isAbsolute, resolve } from "node:path";
import {
	bearerSecret,
	httpUrl,
	listEmptySettings as namesOfEmpty,
	readSettings,
	SettingProblem,
	trueOrFalse,
} from "@tripline/contract/settings";
import { executorEnvironment } from "@tripline/executor/settings";
import { mcpEnvironment } from "@tripline/mcp/settings";
import { isPublicAddress, isPublicName, parseAddress, stripBrackets } from "@tripline/platform/addresses";
import { isWithin } from "@tripline/platform/folder-paths.node";
import { LOG_LEVELS } from "@tripline/platform/log";
import { registryEnvironment } from "@tripline/registry/settings";
import { checkEmbedding, storeEnvironment } from "@tripline/store/settings";
import * as z from "zod";

/** A start that fails for a reason the operator can fix: one line, exit code 2. */
export class StartProblem extends Error {
	override readonly name = "StartProblem";
}

const port = (fallback: number) =>
	z
		.string()
		.regex(/^\d{1,5}$/, "must be a port number from 0 to 65535")
		.transform(Number)
		.refine((value) => value <= 65535, "must be a port number from 0 to 65535")
		.default(fallback);

const wholeNumber = ({ min, max }: { min: number; max: number }) =>
	z
		.string()
		.regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
		.transform(Number)
		.refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const MAX_PROCESSES = 64;
const PROCESSES_RULE = `must be a whole number from 1 to ${MAX_PROCESSES}, or auto`;

const host = (fallback: string) =>
	z
		.string()
		.regex(/^[A-Za-z0-9.:[\]_-]{1,253}$/, "must be a host name or address")
		.transform((value) => value.replace(/^\[(.*)\]$/, "$1"))
		.default(fallback);

const BUCKET_ADDRESS =
	"the address of a bucket, such as https://s3.eu-central-1.amazonaws.com/bucket/prefix; http only for a private host";

const s3Region = z
	.string()
	.regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a region, such as eu-central-1");
const s3KeyId = z
	.string()
	.regex(
		/^[\x21-\x2b\x2d\x2e\x30-\x7e]{1,128}$/,
		"must be printable ASCII without spaces, commas and slashes",
	);
const s3Secret = z
	.string()
	.regex(/^[\x21-\x7e]{8,}$/, "must have at least 8 characters, all printable ASCII without spaces");

export const MIN_PASSPHRASE_LENGTH = 12;
const passphrase = z
	.string()
	.min(MIN_PASSPHRASE_LENGTH, `must have at least ${MIN_PASSPHRASE_LENGTH} characters`);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MIN_EVERY_MS = 5 * MINUTE_MS;
const MAX_EVERY_MS = 366 * DAY_MS;
const EVERY = /^(\d{1,5})(m|h|d)$/;
const EVERY_RULE = "must be minutes, hours or days such as 30m, 6h or 1d, from 5m to 366d";
const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

function toMs(every: string): number {
	const [, count, unit = ""] = EVERY.exec(every) ?? [];
	return Number(count) * (UNITS_MS[unit] ?? 0);
}

/**
 * Path style, with a plain bucket and prefix. A signature keeps others from changing a request, but not from reading the
 * files in it, so only a network of the operator's own may be without TLS.
 */
function isBucketUrl(text: string): boolean {
	const [, protocol, path] =
		/^(https?):\/\/[^/?#@\\\s]+((?:\/[A-Za-z0-9_][A-Za-z0-9._=-]*)+)\/?$/.exec(text) ?? [];
	const url = URL.parse(text);
	if (path === undefined || url === null) return false;
	const name = stripBrackets(url.hostname);
	return protocol === "https" || !(parseAddress(name) === null ? isPublicName(name) : isPublicAddress(name));
}

const environment = storeEnvironment
	.extend(executorEnvironment.shape)
	.extend(registryEnvironment.shape)
	.extend(mcpEnvironment.shape)
	.extend({
		HOST: host("127.0.0.1"),
		PORT: port(8484),
		STORE_HOST: host("127.0.0.1"),
		STORE_PORT: port(8485),
		DATABASE_URL: z.string().min(1).optional(),
		DATABASE_SCHEMA: z
			.string()
			.regex(/^[a-z_][a-z0-9_]{0,39}$/, "must be lower-case letters, digits and _, at most 40")
			.default("tripline"),
		DATABASE_CONNECTIONS: wholeNumber({ min: 8, max: 1000 }).default(12),
		PROCESSES: z
			.string()
			.regex(/^(?:\d{1,2}|auto)$/, PROCESSES_RULE)
			.transform((value) => (value === "auto" ? value : Number(value)))
			.refine((value) => value === "auto" || (value >= 1 && value <= MAX_PROCESSES), PROCESSES_RULE)
			.default(1),
		MASTER_KEY: z.string().min(1).optional(),
		MASTER_KEY_NEXT: z.string().min(1).optional(),
		DATA_DIR: z.string().min(1, "must be a folder").default("./data"),
		FILES_DIR: z.string().min(1, "must be a folder").optional(),
		FILES_S3_URL: z.string().refine(isBucketUrl, `must be ${BUCKET_ADDRESS}`).optional(),
		FILES_S3_REGION: s3Region.optional(),
		FILES_S3_ACCESS_KEY_ID: s3KeyId.optional(),
		FILES_S3_SECRET_ACCESS_KEY: s3Secret.optional(),
		BACKUP_TO: z
			.string()
			.min(1)
			.refine((to) => !to.includes("://") || isBucketUrl(to), `must be a folder or ${BUCKET_ADDRESS}`)
			.optional(),
		BACKUP_EVERY: z
			.string()
			.regex(EVERY, EVERY_RULE)
			.transform(toMs)
			.refine((ms) => ms >= MIN_EVERY_MS && ms <= MAX_EVERY_MS, EVERY_RULE)
			.default(DAY_MS),
		BACKUP_KEEP: wholeNumber({ min: 1, max: 10_000 }).default(7),
		BACKUP_KEEP_DAYS: wholeNumber({ min: 1, max: 36_500 }).optional(),
		BACKUP_FILES: z.enum(["on", "off"], "must be on or off").default("on"),
		BACKUP_PASSPHRASE: passphrase.optional(),
		BACKUP_PASSPHRASE_FILE: z.string().min(1, "must be a file").optional(),
		BACKUP_S3_REGION: s3Region.optional(),
		BACKUP_S3_ACCESS_KEY_ID: s3KeyId.optional(),
		BACKUP_S3_SECRET_ACCESS_KEY: s3Secret.optional(),
		// The service's general default is multi-tenant; this single-process app defaults to self-hosted.
		MULTI_TENANT: trueOrFalse(false),
		TRUST_PROXY: trueOrFalse(false),
		OAUTH_KV: z.enum(["on", "off"], "must be on or off").default("on"),
		STORE_BASE_URL: httpUrl,
		EXECUTOR_BASE_URL: httpUrl,
		REGISTRY_BASE_URL: httpUrl,
		ALLOW_FOLDERS: z
			.string()
			.default("")
			.transform((text, context) => {
				const folders = text.split(",").map((entry) => entry.trim());
				const wrong = folders.findIndex((folder) => folder !== "" && !isAbsolute(folder));
				if (wrong !== -1) {
					const message = `must be absolute paths, separated by commas: entry ${wrong + 1} is not absolute`;
					context.addIssue({ code: "custom", message });
				}
				return folders.filter((folder) => folder !== "");
			}),
		MASTER_KEY_FILE: z.string().min(1, "must be a file").optional(),
		METRICS_TOKEN: bearerSecret.optional(),
		METRICS_NAMESPACES: trueOrFalse(false),
		LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
	});

export type Settings = Readonly<z.output<typeof environment>>;

export const SETTING_NAMES: readonly string[] = Object.keys(environment.shape);

type Variables = Readonly<Record<string, string | undefined>>;

/** Names of settings that are empty and therefore count as unset. */
export const listEmptySettings = (variables: Variables): readonly string[] =>
	namesOfEmpty(environment, variables);

/** Parses the settings. Merge the `.env` values first, so that real environment variables win. */
export function parseSettings(variables: Variables): Settings {
	const settings = readEnvironment(variables);
	if (!isLoopback(settings.STORE_HOST) && settings.STORE_INTERNAL_TOKEN === undefined) {
		throw new StartProblem(
			`STORE_HOST is ${settings.STORE_HOST}, which others can reach: set STORE_INTERNAL_TOKEN too, or leave STORE_HOST unset`,
		);
	}
	const reached = findExposure(settings);
	if (reached !== null && !settings.MULTI_TENANT && settings.SERVICE_ACCESS_TOKEN === undefined) {
		throw new StartProblem(
			`${reached.name} is ${reached.value}, which others can reach, and a namespace is not a secret: set SERVICE_ACCESS_TOKEN too, or ${reached.instead}`,
		);
	}
	if (settings.MULTI_TENANT && settings.ALLOW_FOLDERS.length > 0) {
		throw new StartProblem(
			"ALLOW_FOLDERS cannot be combined with MULTI_TENANT=true, because every tenant could use the folders: leave one of them unset",
		);
	}
	checkPlaceOfFiles(settings);
	checkBackups(settings);
	if (settings.DATABASE_URL !== undefined) requireShared(settings);
	else if (settings.PROCESSES !== "auto" && settings.PROCESSES > 1) {
		throw new StartProblem(
			`PROCESSES is ${settings.PROCESSES}, but only one process can use SQLite: set DATABASE_URL to a PostgreSQL database, or leave PROCESSES unset`,
		);
	}
	return settings;
}

/** How many processes serve the deployment on this machine. */
export function countProcesses({ PROCESSES, DATABASE_URL }: Settings): number {
	if (PROCESSES !== "auto") return PROCESSES;
	return DATABASE_URL === undefined ? 1 : Math.min(availableParallelism(), MAX_PROCESSES);
}

/** What every process of a deployment must have in common cannot be made up by each of them. */
function requireShared(settings: Settings): void {
	for (const [name, what] of [
		["MASTER_KEY", "32 random bytes in base64, for example by: openssl rand -base64 32"],
		["MCP_OWNER_SECRET", "a long random text, for example by: openssl rand -hex 24"],
	] as const) {
		if (settings[name] === undefined)
			throw new StartProblem(
				`DATABASE_URL is set, which several processes may share: set ${name} too (${what})`,
			);
	}
}

function checkPlaceOfFiles(settings: Settings): void {
	const required = ["FILES_S3_URL", "FILES_S3_ACCESS_KEY_ID", "FILES_S3_SECRET_ACCESS_KEY"] as const;
	const given = [...required, "FILES_S3_REGION" as const].find((name) => settings[name] !== undefined);
	if (given === undefined) return;
	const missing = required.find((name) => settings[name] === undefined);
	if (missing !== undefined)
		throw new StartProblem(
			`${given} is set, and ${missing} is not: files are kept in a bucket only with ${required.join(", ")}`,
		);
	if (settings.FILES_DIR !== undefined)
		throw new StartProblem(
			"FILES_DIR cannot be combined with FILES_S3_URL, because files are kept in one place: leave one of them unset",
		);
}

function checkBackups(settings: Settings): void {
	const { BACKUP_TO: to, BACKUP_PASSPHRASE, BACKUP_PASSPHRASE_FILE } = settings;
	if (BACKUP_PASSPHRASE !== undefined && BACKUP_PASSPHRASE_FILE !== undefined)
		throw new StartProblem(
			"BACKUP_PASSPHRASE and BACKUP_PASSPHRASE_FILE are both set: leave one of them unset",
		);
	if (to === undefined) return;
	if (settings.DATABASE_URL !== undefined)
		throw new StartProblem(
			"BACKUP_TO cannot be combined with DATABASE_URL: back up PostgreSQL with pg_dump, see docs/guides/backup.md",
		);
	const missing = (["BACKUP_S3_ACCESS_KEY_ID", "BACKUP_S3_SECRET_ACCESS_KEY"] as const).find(
		(name) => settings[name] === undefined,
	);
	if (!to.includes("://")) {
		if (isWithin(resolve(settings.DATA_DIR), resolve(to)))
			throw new StartProblem("BACKUP_TO must be outside of DATA_DIR, best on another disk");
	} else if (missing !== undefined)
		throw new StartProblem(`BACKUP_TO is a bucket, and ${missing} is not set`);
}

function readEnvironment(variables: Variables): Settings {
	try {
		const settings = readSettings(environment, variables);
		checkEmbedding(settings);
		return settings;
	} catch (error) {
		throw error instanceof SettingProblem ? new StartProblem(error.message) : error;
	}
}

/** The setting that makes this service reachable for others. Null if only this machine can reach it. */
function findExposure(settings: Settings): { name: string; value: string; instead: string } | null {
	if (!isLoopback(settings.HOST))
		return { name: "HOST", value: settings.HOST, instead: "use HOST=127.0.0.1" };
	for (const name of ["BASE_URL", "MCP_URL"] as const) {
		const url = URL.parse(settings[name] ?? "");
		if (url !== null && !isLoopback(url.hostname.replace(/^\[(.*)\]$/, "$1")))
			return { name, value: url.origin, instead: `leave ${name} unset` };
	}
	return null;
}

export function isLoopback(name: string): boolean {
	return name === "localhost" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
