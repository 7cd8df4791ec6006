import { once } from "node:events";
import { checkServerIdentity, connect, type PeerCertificate } from "node:tls";
import { verifyConnection } from "@tripline/mcp/connect/verify";
import { stripBrackets } from "@tripline/platform/addresses";
import { isLoopback, type Settings } from "../settings.ts";
import { type Check, fail, findReason, ok, warn } from "./check.ts";
import { type Reached, reach } from "./reach.ts";

const DAY_MS = 86_400_000;
const RENEW_DAYS = 14;
const TIMEOUT_MS = 5000;
/** Addresses of this service. */
const OWN = ["BASE_URL", "MCP_URL", "PAGES_ORIGIN"] as const;

export interface AddressChecks {
	readonly checks: readonly Check[];
	/** Of the hosts that answered. */
	readonly clockSkewsMs: readonly number[];
}

/** The service's own public addresses, as others see them. */
export async function checkPublicAddresses(settings: Settings, now: () => number): Promise<AddressChecks> {
	const checks: Check[] = [];
	const clockSkewsMs: number[] = [];
	const origins = new Map<string, string>();
	for (const name of OWN) {
		const value = settings[name];
		if (value !== undefined && !origins.has(new URL(value).origin)) origins.set(new URL(value).origin, name);
	}
	if (origins.size === 0)
		return {
			checks: [ok("address", "BASE_URL is not set: only this machine can use the service")],
			clockSkewsMs,
		};
	for (const [origin, setting] of origins) {
		if (origin.startsWith("https:")) checks.push(...(await checkCertificate(setting, origin, now)));
		try {
			const reached = await reach(`${origin}/healthz`, now);
			if (reached.clockSkewMs !== null) clockSkewsMs.push(reached.clockSkewMs);
			checks.push(rateHealth(setting, origin, reached));
		} catch (error) {
			checks.push(
				fail(
					"address",
					`${setting} ${origin} cannot be reached from here (${findReason(error)})`,
					"start the service, and check its DNS name, firewall and proxy",
				),
			);
		}
	}
	return { checks, clockSkewsMs };
}

function rateHealth(setting: string, origin: string, { response, text }: Reached): Check {
	const name = "address";
	if (response.ok && text === '{"status":"ok"}') return ok(name, `${setting} ${origin} leads to a service`);
	if (response.status === 403)
		return fail(
			name,
			`${setting} ${origin} answers 403: the service does not accept the Host that the proxy sends`,
			"let the proxy pass the Host header unchanged, and set BASE_URL to the address that clients use",
		);
	if (response.status >= 500)
		return fail(
			name,
			`${setting} ${origin} answers ${response.status}: the proxy does not reach the service`,
			"start the service, and check the address in the proxy's configuration",
		);
	return fail(
		name,
		`${setting} ${origin} leads to something else (it answers ${response.status})`,
		"let the proxy pass every path to the service unchanged, or correct the setting",
	);
}

async function checkCertificate(setting: string, origin: string, now: () => number): Promise<Check[]> {
	const name = "certificate";
	const { hostname, port } = new URL(origin);
	const host = stripBrackets(hostname);
	const socket = connect({
		...{ host, port: Number(port || 443), timeout: TIMEOUT_MS },
		// A wrong certificate is read too, to say what is wrong with it.
		rejectUnauthorized: false,
		...(/[a-z]/i.test(host) && !host.includes(":") && { servername: host }),
	});
	try {
		await once(socket, "secureConnect", { signal: AbortSignal.timeout(TIMEOUT_MS) });
		const certificate = socket.getPeerCertificate();
		return [rateCertificate(`${setting} ${origin}`, host, certificate, socket.authorizationError, now())];
	} catch (error) {
		const reason = findReason(error);
		// The check of the address says that nothing answers.
		if (!/SSL|TLS|EPROTO|ECONNRESET/.test(reason)) return [];
		return [
			fail(
				name,
				`${setting} ${origin} has no certificate that can be read (${reason})`,
				"check that the proxy serves https at this address",
			),
		];
	} finally {
		socket.destroy();
	}
}

function rateCertificate(
	where: string,
	host: string,
	certificate: PeerCertificate,
	refused: Error | string | undefined | null,
	now: number,
): Check {
	const name = "certificate";
	const days = Math.floor((Date.parse(certificate.valid_to) - now) / DAY_MS);
	if (days < 0)
		return fail(name, `the certificate of ${where} expired on ${certificate.valid_to}`, "renew it");
	if (checkServerIdentity(host, certificate) !== undefined)
		return fail(
			name,
			`the certificate of ${where} is for other names (${certificate.subjectaltname ?? "none"})`,
			"use one for this name, or correct the setting",
		);
	if (refused)
		return fail(
			name,
			`the certificate of ${where} is not trusted (${findReason(typeof refused === "string" ? { code: refused } : refused)})`,
			"use one of a public authority with its whole chain; clients refuse others",
		);
	if (days < RENEW_DAYS)
		return warn(name, `the certificate of ${where} expires in ${days} days`, "check why it was not renewed");
	return ok(name, `the certificate of ${where} is good for ${days} days`);
}

/** Plays a client up to the login. */
export async function checkClients(origin: string, token: string | undefined): Promise<Check> {
	const name = "clients";
	const { checks } = await verifyConnection({
		origin,
		authorization: token === undefined ? null : `Bearer ${token}`,
		fetch: (request) => fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) }),
	});
	const wrong = checks.find(
		({ ok: passed, id }) => !passed && (token !== undefined || !id.startsWith("protocol_")),
	);
	if (wrong === undefined) return ok(name, `assistants can connect to ${origin}/mcp and log in`);
	return fail(
		name,
		`assistants cannot connect to ${origin}/mcp: ${wrong.message.replace(/\.$/, "")}`,
		(wrong.fix ?? "see the assistants page of the console").replace(/\.$/, ""),
	);
}

/** Other hosts that the settings name, such as an embedding server or a bucket. */
export async function checkHosts(settings: Settings, now: () => number): Promise<AddressChecks> {
	const clockSkewsMs: number[] = [];
	const named = Object.entries(settings).filter(
		(entry): entry is [string, string] =>
			typeof entry[1] === "string" &&
			/^https?:\/\//.test(entry[1]) &&
			!(OWN as readonly string[]).includes(entry[0]),
	);
	const checks = await Promise.all(
		named.map(async ([setting, value]) => {
			// The rest of the address may contain a secret.
			const { origin, hostname } = new URL(value);
			try {
				const { clockSkewMs } = await reach(origin, now, "HEAD");
				if (clockSkewMs !== null && !isLoopback(hostname)) clockSkewsMs.push(clockSkewMs);
				return ok("host", `${setting} ${origin} answers`);
			} catch (error) {
				return fail(
					"host",
					`${setting} ${origin} cannot be reached (${findReason(error)})`,
					"check the address, DNS, firewall and that the server runs",
				);
			}
		}),
	);
	return { checks, clockSkewsMs };
}
