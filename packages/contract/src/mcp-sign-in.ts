import * as z from "zod";

const Printable = (most: number, what: string) =>
	z
		.string()
		.min(1)
		.max(most)
		.regex(/^[\x20-\x7e]*$/, `must be ${what} of printable ASCII characters`);

/** How to sign in at an MCP server, where it does not follow from what the server says. */
export const McpSignIn = z
	.strictObject({
		url: z
			.string()
			.min(1)
			.max(2_000)
			.optional()
			.meta({ description: "Of a server that is not added yet", examples: ["https://example.com/mcp"] }),
		client_id: Printable(2_000, "an id").optional().meta({
			description: "Of a client that you registered, if the authorization server registers none by itself",
		}),
		client_secret: Printable(4_096, "a secret")
			.min(4)
			.optional()
			.meta({ description: "Encrypted before it is stored and never returned", writeOnly: true }),
		scope: Printable(1_000, "scopes")
			.optional()
			.meta({
				description: "Rights to ask for in addition, separated by spaces",
				examples: ["files:write"],
			}),
	})
	.refine(({ client_id, client_secret }) => client_secret === undefined || client_id !== undefined, {
		path: ["client_id"],
		message: "is required with client_secret",
	})
	.meta({ id: "McpSignIn" });
