import type { Tool, ToolContext } from "../tools/tool.ts";
import type { Content, Resource, ResourceContent } from "./content.ts";

/** Everything that clients see. The protocol layer serves it without knowing its content. */
export interface Surface {
	/** Tells the model how to use the server. */
	readonly instructions: string;
	/** In a stable order, before the tenant's tools. */
	readonly tools: readonly Tool[];
	/** The tenant's own tools, exposed workflows, in a stable order. */
	listTenantTools(context: ToolContext): Promise<readonly Tool[]>;
	/** One of the tenant's tools by name, without listing all. */
	findTenantTool(name: string, context: ToolContext): Promise<Tool | null>;
	readonly resources: ResourceSurface;
	readonly prompts: readonly Prompt[];
}

/** A `ToolProblem` thrown here is answered as invalid params (-32602). */
export interface ResourceSurface {
	/** A page. Throws `ToolProblem` for an invalid cursor. */
	list(context: ToolContext, cursor: string | undefined): Promise<ResourcePage>;
	/** In a stable order. */
	readonly templates: readonly ResourceTemplate[];
	/** Null: not found. */
	read(uri: string, context: ToolContext): Promise<ReadResult | null>;
	/** Completes a template's argument. Unknown templates and arguments have no completions. */
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
	/** How long a client may cache it, in milliseconds; default: not at all. */
	readonly ttlMs?: number;
}

export interface Prompt {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly arguments: readonly PromptArgument[];
	/** Required arguments are present. Throws `ToolProblem` if they are invalid (-32602). */
	get(args: Readonly<Record<string, string>>, context: ToolContext): Promise<PromptAnswer>;
	/** Completes an argument. */
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
