/** Content of tools, resources and prompts as sent to clients. Binary data is base64. */
export type Content =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
	| { readonly type: "resource"; readonly resource: ResourceContent }
	| ({ readonly type: "resource_link" } & Resource);

export type ResourceContent = { readonly uri: string; readonly mimeType: string } & (
	| { readonly text: string }
	| { readonly blob: string }
);

/** A resource as a list shows it. */
export interface Resource {
	readonly uri: string;
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly mimeType?: string;
	/** In bytes. */
	readonly size?: number;
	readonly annotations?: Annotations;
}

/** The audience, the priority (0 to 1) and the time of the last change (ISO 8601). */
interface Annotations {
	readonly audience?: readonly ("user" | "assistant")[];
	readonly priority?: number;
	readonly lastModified?: string;
}
