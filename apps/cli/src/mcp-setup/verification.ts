import { type VerifyReport, verifyConnection } from "@tripline/mcp/connect/verify";
import { CliProblem } from "../command.ts";
import { readSecret } from "../config.ts";
import type { Io } from "../io.ts";
import { buildUnreachableHint } from "../service-problem.ts";
import { applyStyle } from "../style.ts";
import { findWorker, toCloudflareFix } from "./cloudflare-fixes.ts";

/** The timeout of one request. */
const REQUEST_TIMEOUT_MS = 10_000;

export interface Verification {
	readonly checks: readonly Check[];
	readonly clients: VerifyReport["clients"];
}

interface Check extends Omit<VerifyReport["checks"][number], "ok"> {
	readonly verdict: "ok" | "wrong" | "not tried";
}

export const hasPassed = ({ checks }: Verification): boolean =>
	checks.every(({ verdict }) => verdict !== "wrong");

/** Acts as a client up to the login; with a static token, also after it. */
export async function verify(io: Io, origin: string): Promise<Verification> {
	const token = readSecret(io, "MCP_STATIC_TOKEN");
	const fetch = (request: Request) => io.fetch(request, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
	await assertReachable(origin, fetch);
	const { checks, clients } = await verifyConnection({
		origin,
		authorization: token === undefined ? null : `Bearer ${token}`,
		fetch,
	});
	const verdicts = checks.map(
		({ ok, ...check }): Check =>
			token === undefined && check.id.startsWith("protocol_")
				? { ...check, verdict: "not tried", message: NO_TOKEN, fix: TOKEN_FIX }
				: { ...check, verdict: ok ? "ok" : "wrong" },
	);
	return { checks: adaptFixes(origin, verdicts), clients: adaptFixes(origin, clients) };
}

function adaptFixes<Finding extends { readonly fix: string | null }>(
	origin: string,
	findings: readonly Finding[],
): readonly Finding[] {
	const worker = findWorker(origin);
	if (worker === null) return findings;
	return findings.map((each) =>
		each.fix === null ? each : { ...each, fix: toCloudflareFix(each.fix, worker) },
	);
}

const NO_TOKEN = "There is no token to test with.";
const TOKEN_FIX =
	"Set MCP_STATIC_TOKEN, on the server and here (environment or .env), to check this too. Clients that log in do not need it.";

/** Fails early if the server is unreachable; otherwise every check would report the same. */
async function assertReachable(
	origin: string,
	fetch: (request: Request) => Promise<Response>,
): Promise<void> {
	try {
		const response = await fetch(new Request(`${origin}/healthz`, { redirect: "manual" }));
		await response.body?.cancel();
	} catch (error) {
		throw new CliProblem(`nothing answers at ${origin}${describeReason(error)}`, {
			hint: buildUnreachableHint(origin, "mcp_url"),
		});
	}
}

function describeReason(error: unknown): string {
	if (!(error instanceof Error)) return "";
	if (error.name === "TimeoutError") return ` within ${REQUEST_TIMEOUT_MS / 1000} seconds`;
	const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
	return code === undefined ? "" : ` (${code})`;
}

export function renderVerification(verification: Verification, io: Io): string {
	const { checks, clients } = verification;
	const refused = clients.filter(({ accepted }) => !accepted);
	const accepted = clients.filter((client) => client.accepted).map(({ title }) => title);
	return [
		...checks.flatMap(({ verdict, title, message, fix }) => [
			`${renderVerdict(io, verdict)} ${title}: ${message}`,
			...(fix === null ? [] : [`${INDENT}${fix}`]),
		]),
		"",
		...(accepted.length === 0 ? [] : [`These clients can log in: ${accepted.join("; ")}`]),
		...refused.flatMap(({ title, fix }) => [
			`${title} cannot log in.`,
			...(fix === null ? [] : [`${INDENT}${fix}`]),
		]),
	].join("\n");
}

const INDENT = " ".repeat(10);
const COLOURS = { ok: "green", wrong: "red", "not tried": "yellow" } as const;

const renderVerdict = (io: Io, verdict: Check["verdict"]): string =>
	applyStyle(io, COLOURS[verdict], verdict.padEnd(INDENT.length - 1));
