import type { Tool, ToolContext } from "../tools/tool.ts";
import type { Content, Resource, ResourceContent } from "./content.ts";

/** All that clients see: the protocol serves it and knows nothing of what it is about. */
export interface Surface {
	/** How the server is used, for the model. */
	readonly instructions: string;
	/** In a stable order; those of the tenant come after them. */
	readonly tools: readonly Tool[];
	/** Tools that depend on the tenant: exposed workflows, in a stable order. */
	tenantTools(context: ToolContext): Promise<readonly Tool[]>;
	/** One of them by its name, without listing all. */
	tenantTool(name: string, context: ToolContext): Promise<Tool | null>;
	readonly resources: ResourceSurface;
	readonly prompts: readonly Prompt[];
}

/** What is thrown as a `ToolProblem` here becomes the error of an invalid request (-32602). */
export interface ResourceSurface {
	/** A page. A cursor that is none of its own: `ToolProblem`. */
	list(context: ToolContext, cursor: string | undefined): Promise<ResourcePage>;
	/** In a stable order. */
	readonly templates: readonly ResourceTemplate[];
	/** Null: there is no such resource. */
	read(uri: string, context: ToolContext): Promise<ReadResult | null>;
	/** What the argument of a template may be, given its beginning. Unknown ones: none. */
	complete(
		uriTemplate: string,
		argument: string,
		value: string,
		context: ToolContext,
	): Promise<readonly string[]>;
}

export interface ResourcePage {
	readonly resources: readonly Resource[];
	readonly nextCursor?: string | undefined;
}

interface ResourceTemplate {
	/** RFC 6570, as in `tripline://workflows/{name}`. */
	readonly uriTemplate: string;
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly mimeType?: string;
}

export interface ReadResult {
	readonly contents: readonly ResourceContent[];
	/** How long a client may keep it, in milliseconds; left out: not at all. */
	readonly ttlMs?: number;
}

export interface Prompt {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly arguments: readonly PromptArgument[];
	/** The required arguments are there. `ToolProblem`: they are wrong (-32602). */
	get(args: Readonly<Record<string, string>>, context: ToolContext): Promise<PromptAnswer>;
	/** What an argument may be, given its beginning. */
	complete?(argument: string, value: string, context: ToolContext): Promise<readonly string[]>;
}

interface PromptArgument {
	readonly name: string;
	readonly title?: string;
	readonly description: string;
	readonly required: boolean;
}

export interface PromptAnswer {
	readonly description: string;
	readonly messages: readonly PromptMessage[];
}

export interface PromptMessage {
	readonly role: "user" | "assistant";
	readonly content: Content;
}
