import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { describeSignedIn, findSignIn, waitForSignIn } from "../credentials/wait-for-sign-in.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";
import { summarizeServer } from "./describe.ts";
import { createUnknownServer, type McpServer } from "./find.ts";

const LOOK_AGAIN_MS = 1_000;
/** Until the tools have been listed after the sign-in. */
const MAX_LOOKS = 60;

export async function run(invocation: Invocation): Promise<Outcome> {
	const { positionals, flags, io, progress } = invocation;
	const executor = createExecutor(io);
	const name = positionals.name as string;
	const url = positionals.url as string | undefined;
	const client_id = flags["client-id"] as string | undefined;
	const scope = flags.scope as string | undefined;
	const client_secret = client_id === undefined ? "" : await readClientSecret(io);
	const credential = `mcp_${name}`;
	const before = await findSignIn(executor, credential);
	progress("asking the server how to sign in");
	const link = await executor.mcpServers.signIn(name, {
		...(url !== undefined && { url }),
		...(client_id !== undefined && { client_id }),
		...(client_secret !== "" && { client_secret }),
		...(scope !== undefined && { scope }),
	});
	if (link === null) throw await createUnknownServer(executor, name);
	if (flags["no-wait"] === true) return { json: { name, ...link }, text: `${toPrintable(link.url)}\n` };
	const again = `tripline mcp sign-in ${name}`;
	const state = await waitForSignIn(invocation, executor, { credential, url: link.url, before, again });
	progress(describeSignedIn(name, state).trim());
	progress("waiting for its tools");
	return summarizeServer(await waitForTools(executor, io, name, state.signed_in_at ?? ""));
}

/** An empty answer is a client without a secret. */
async function readClientSecret(io: Invocation["io"]): Promise<string> {
	const asked = await io.askSecret("client secret (empty if it has none)");
	return (asked ?? (await io.stdin())).trim();
}

async function waitForTools(
	executor: TenantExecutor,
	io: Invocation["io"],
	name: string,
	since: string,
): Promise<McpServer> {
	for (let looks = 0; looks < MAX_LOOKS; looks++) {
		const server = await executor.mcpServers.get(name);
		if (server !== null && server.checked_at >= since) {
			if (typeof server.error !== "string") return server;
			throw new CliProblem(`signed in, but the server's tools could not be listed: ${server.error}`, {
				hint: `later: tripline mcp sign-in ${name}`,
			});
		}
		await io.wait(LOOK_AGAIN_MS);
	}
	throw new CliProblem("signed in, but the server's tools could not be listed", {
		hint: `tripline mcp refresh ${name} says why; for a new server, tripline mcp add ${name} <url> --credential mcp_${name}`,
	});
}
