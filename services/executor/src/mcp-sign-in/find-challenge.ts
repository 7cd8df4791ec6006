import { McpRefused, McpUnauthorized } from "@tripline/components/mcp/errors";
import type { Endpoint } from "@tripline/components/mcp/exchange";
import { toFailed } from "../mcp-servers/servers.ts";
import type { Outbound } from "../runs/outbound.ts";

/** The header WWW-Authenticate with which a server answers a caller without a credential. Null if it answers otherwise. */
export async function findChallenge(
	outbound: Outbound,
	server: Pick<Endpoint, "name" | "url">,
	signal: AbortSignal,
): Promise<string | null> {
	const { connect, listTools } = await import("../mcp-servers/client.ts");
	const { http } = outbound.forRun(null);
	const endpoint = { ...server, credential: null };
	try {
		const { wire } = await connect(http, endpoint, signal);
		// Some servers shake hands with everybody.
		await listTools(http, endpoint, wire, signal);
		return null;
	} catch (error) {
		if (error instanceof McpUnauthorized) return error.challenge;
		if (error instanceof McpRefused) return null;
		throw toFailed(error);
	}
}
