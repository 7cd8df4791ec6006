import { reach, resourceDocuments, serverDocuments } from "./discovery.ts";
import { browsers, challenge, legacyProtocol, modernProtocol } from "./handshake.ts";
import { type ClientVerdict, clientVerdicts, loginPage, registration } from "./login.ts";
import { type Probe, probeOf, Wrong } from "./probe.ts";

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
	["address", "Server address", reach],
	["challenge", "Authentication challenge", challenge],
	["resource_documents", "Resource metadata", resourceDocuments],
	["server_documents", "Authorization server metadata", serverDocuments],
	["browsers", "Browser clients", browsers],
	["registration", "Client registration", registration],
	["login", "Login page", loginPage],
	["protocol_2025_11_25", "Protocol 2025-11-25", legacyProtocol],
	["protocol_2026_07_28", "Protocol 2026-07-28", modernProtocol],
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
	const probe = probeOf(server.origin, server.authorization, (request) => server.fetch(request));
	const [checks, clients] = await Promise.all([
		Promise.all(CHECKS.map(([id, title, run]) => checked({ id, title }, () => run(probe)))),
		clientVerdicts(probe),
	]);
	return { ok: checks.every(({ ok }) => ok), origin: server.origin, checks, clients };
}

async function checked(
	name: Pick<Check, "id" | "title">,
	run: () => string | Promise<string>,
): Promise<Check> {
	try {
		return { ...name, ok: true, message: await run(), fix: null };
	} catch (error) {
		if (!(error instanceof Wrong)) throw error;
		return { ...name, ok: false, message: error.message, fix: error.fix };
	}
}
