import * as z from "zod";
import { CredentialName } from "./credentials.ts";
import { AnyJson } from "./json.ts";
import { RecipeId } from "./recipes.ts";

/** In `mcp:<server>.<tool>`. */
export const McpServerName = RecipeId.meta({ description: "Name of the MCP server" });

/** The component of a tool. A server's name has no dot, so everything behind the first one is the tool. */
export const toMcpComponentId = (server: string, tool: string): string => `mcp:${server}.${tool}`;

export const WriteMcpServer = z
	.strictObject({
		url: z
			.string()
			.min(1)
			.max(2_000)
			.meta({
				description: "Where the server answers by streamable HTTP",
				examples: ["https://example.com/mcp"],
			}),
		credential: CredentialName.optional().meta({
			description: "Credential that authorizes every request; its hosts must include the server's",
		}),
	})
	.meta({ id: "WriteMcpServer" });
export type WriteMcpServer = z.output<typeof WriteMcpServer>;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hex");
const Schema = z.record(z.string(), AnyJson);

/** What a server offered when it was accepted. */
export const PinnedTool = z
	.object({
		name: z.string(),
		title: z.string().nullable(),
		description: z.string(),
		input_schema: Schema.meta({ description: "JSON Schema of the arguments, as the server gave it" }),
		output_schema: Schema.nullable().meta({ description: "JSON Schema of the structured result" }),
		annotations: Schema.nullable().meta({ description: "Hints of the server; they are claims" }),
		hash: Sha256.meta({ description: "SHA-256 of all of this as canonical JSON" }),
	})
	.meta({ id: "McpTool" });
export type PinnedTool = z.output<typeof PinnedTool>;

export const SkippedTool = z
	.object({
		name: z.string().meta({ description: "At most 128 characters of it, without control characters" }),
		reason: z.string(),
	})
	.meta({ id: "SkippedMcpTool" });
export type SkippedTool = z.output<typeof SkippedTool>;

/** Names only; the whole difference is what a refresh returns. */
const Offered = z
	.object({
		hash: Sha256.meta({ description: "To be sent to accept it" }),
		added: z.array(z.string()),
		removed: z.array(z.string()),
		changed: z.array(z.string()),
	})
	.meta({ id: "OfferedMcpTools" });

const described = {
	name: z.string(),
	url: z.string(),
	credential: z.string().nullable(),
	title: z.string().nullable().meta({ description: "What the server calls itself" }),
	server_version: z.string().nullable(),
	protocol_version: z.string().meta({ description: "The revision of the protocol that was agreed on" }),
	offered: Offered.nullable().meta({
		description: "What has changed since the tools were accepted; null if nothing",
	}),
	added_at: z.iso.datetime(),
	checked_at: z.iso.datetime().meta({ description: "When the tools were last listed, or could not be" }),
	error: z.string().nullable().meta({
		description: "Why the tools could not be listed after a sign-in; null once they have been",
	}),
};

export const McpServer = z
	.object({
		...described,
		instructions: z.string().nullable(),
		tools: z.array(PinnedTool.extend({ component: z.string() })),
		skipped: z.array(SkippedTool).meta({ description: "Tools that cannot be used, and why" }),
	})
	.meta({ id: "McpServer" });

export const McpServerList = z.object({
	mcp_servers: z.array(
		z
			.object({ ...described, components: z.array(z.string()).meta({ description: "One for each tool" }) })
			.meta({ id: "McpServerSummary" }),
	),
});

/** How the tools that a server offers now differ from the accepted ones. */
export const McpToolChanges = z
	.object({
		hash: Sha256.meta({ description: "Of all tools that are offered now; to be sent to accept them" }),
		added: z.array(PinnedTool),
		removed: z.array(PinnedTool),
		changed: z.array(z.object({ before: PinnedTool, after: PinnedTool })),
		skipped: z.array(SkippedTool),
	})
	.meta({ id: "McpToolChanges" });
export type McpToolChanges = z.output<typeof McpToolChanges>;

export const AcceptMcpTools = z
	.strictObject({ hash: Sha256.meta({ description: "As the refresh returned it" }) })
	.meta({ id: "AcceptMcpTools" });

/** As it is stored. */
export interface McpServerWithName {
	readonly name: string;
	readonly url: string;
	readonly credential: string | null;
	readonly title: string | null;
	readonly server_version: string | null;
	readonly protocol_version: string;
	readonly instructions: string | null;
	readonly tools: readonly PinnedTool[];
	readonly skipped: readonly SkippedTool[];
	readonly offered: z.output<typeof Offered> | null;
	readonly added_at: string;
	readonly checked_at: string;
	readonly error?: string | null | undefined;
}
