import { readFileSync } from "node:fs";
import type { ClientConfig } from "pg";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|)$/;
const CONNECT_TIMEOUT_MS = 5000;

/** The address of the database is wrong; the message contains no password. */
export class BadDatabaseUrl extends Error {
	override readonly name = "BadDatabaseUrl";
}

/**
 * TLS is used and verified unless the database is on this machine or the URL says `sslmode=disable`. `sslrootcert` names
 * a file with the certificates to trust.
 */
export function readConnection(url: string): ClientConfig {
	const parsed = URL.canParse(url) ? new URL(url) : null;
	if (parsed === null || !/^postgres(?:ql)?:$/.test(parsed.protocol))
		throw new BadDatabaseUrl("DATABASE_URL must have the form postgres://user:password@host:5432/database");
	const { hostname, searchParams } = parsed;
	// Otherwise a part of the password would be taken for another part of the URL, and may be shown.
	if (/@/.test(parsed.pathname + parsed.search + parsed.hash))
		throw new BadDatabaseUrl(
			"DATABASE_URL has an @ after the host: in a password / is written as %2F, ? as %3F and # as %23",
		);
	for (const name of searchParams.keys()) {
		if (!PARAMETERS.has(name)) throw new BadDatabaseUrl(`DATABASE_URL has an unknown parameter: ${name}`);
	}
	const mode = searchParams.get("sslmode");
	if (mode !== null && !MODES.has(mode))
		throw new BadDatabaseUrl(
			`sslmode must be ${[...MODES].join(" or ")}; TLS without verification is not supported`,
		);
	const socket = searchParams.get("host");
	const isLocal = LOOPBACK.test(hostname);
	const usesTls = mode === null ? !isLocal : mode !== "disable";
	return {
		host: socket ?? (hostname === "" ? "localhost" : hostname.replace(/^\[|\]$/g, "")),
		port: parsed.port === "" ? 5432 : Number(parsed.port),
		database: decode(parsed.pathname.slice(1)) || "postgres",
		user: decode(parsed.username),
		password: decode(parsed.password),
		ssl: usesTls ? readTrust(searchParams.get("sslrootcert")) : false,
		connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
		application_name: "tripline",
	};
}

function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		throw new BadDatabaseUrl("DATABASE_URL has a % that encodes nothing: % itself is written as %25");
	}
}

const PARAMETERS = new Set(["sslmode", "sslrootcert", "host"]);
/** What other clients call `require` does not protect against a machine in the middle, so that it verifies here too. */
const MODES = new Set(["disable", "require", "verify-full"]);

function readTrust(file: string | null): ClientConfig["ssl"] {
	if (file === null) return { rejectUnauthorized: true };
	try {
		return { rejectUnauthorized: true, ca: readFileSync(file, "utf8") };
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
		throw new BadDatabaseUrl(`sslrootcert ${file} cannot be read (${code})`);
	}
}
