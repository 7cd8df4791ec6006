import { checkAddress, checkResourceDocuments, checkServerDocuments } from "./discovery.ts";
import { checkBrowsers, checkChallenge, checkLegacyProtocol, checkModernProtocol } from "./handshake.ts";
import { type ClientVerdict, checkClients, checkLoginPage, checkRegistration } from "./login.ts";
import { CheckFailed, createProbe, type Probe } from "./probe.ts";

interface Check {
	readonly id: string;
	readonly title: string;
	readonly ok: boolean;
	readonly message: string;
	readonly fix: string | null;
}

export interface VerifyReport {
	/** Whether all checks passed. */
	readonly ok: boolean;
	readonly origin: string;
	readonly checks: readonly Check[];
	readonly clients: readonly ClientVerdict[];
}

/** In the order in which a client connects. */
const CHECKS: readonly (readonly [
	id: string,
	title: string,
	run: (probe: Probe) => string | Promise<string>,
])[] = [
	["address", "Server address", checkAddress],
	["challenge", "Authentication challenge", checkChallenge],
	["resource_documents", "Resource metadata", checkResourceDocuments],
	["server_documents", "Authorization server metadata", checkServerDocuments],
	["browsers", "Browser clients", checkBrowsers],
	["registration", "Client registration", checkRegistration],
	["login", "Login page", checkLoginPage],
	["protocol_2025_11_25", "Protocol 2025-11-25", checkLegacyProtocol],
	["protocol_2026_07_28", "Protocol 2026-07-28", checkModernProtocol],
];

/**
 * Connects as a client would, up to the owner secret, and reports what is wrong. It changes nothing. With the `fetch`
 * of the server's own app, no request leaves the process.
 */
export async function verifyConnection(server: {
	readonly origin: string;
	/** The Authorization header to check the protocol with. */
	readonly authorization: string | null;
	fetch(request: Request): Promise<Response>;
}): Promise<VerifyReport> {
	const probe = createProbe(server.origin, server.authorization, (request) => server.fetch(request));
	const [checks, clients] = await Promise.all([
		Promise.all(CHECKS.map(([id, title, run]) => runCheck({ id, title }, () => run(probe)))),
		checkClients(probe),
	]);
	return { ok: checks.every(({ ok }) => ok), origin: server.origin, checks, clients };
}

async function runCheck(
	name: Pick<Check, "id" | "title">,
	run: () => string | Promise<string>,
): Promise<Check> {
	try {
		return { ...name, ok: true, message: await run(), fix: null };
	} catch (error) {
		if (!(error instanceof CheckFailed)) throw error;
		return { ...name, ok: false, message: error.message, fix: error.fix };
	}
}
