import type { NodeCall } from "@tripline/engine/component";
import type { Effects, FileReference } from "../effects.ts";
import type { MultipartPart, OutboundBody } from "./call.ts";

type Node = Pick<NodeCall<Effects>, "effects" | "meter" | "signal">;

/** A body whose files are not opened yet. */
export type UnopenedBody =
	| Exclude<OutboundBody, { kind: "file" | "multipart" }>
	| { readonly kind: "file"; readonly file: FileReference }
	| { readonly kind: "multipart"; readonly parts: readonly UnopenedPart[] };

export type UnopenedPart = Omit<MultipartPart, "file"> & { readonly file?: FileReference | undefined };

/** Asynchronous only if there are files. Rejects if the run may not open one. */
export function openFiles(body: UnopenedBody, node: Node): OutboundBody | Promise<OutboundBody> {
	if (body.kind === "file") return openFileBody(body.file, node);
	if (body.kind !== "multipart") return body;
	const { parts } = body;
	return hasNoFiles(parts) ? { kind: "multipart", parts } : openParts(parts, node);
}

type FilelessPart = Omit<MultipartPart, "file"> & { readonly file?: undefined };

const hasNoFiles = (parts: readonly UnopenedPart[]): parts is readonly FilelessPart[] =>
	parts.every(({ file }) => file === undefined);

async function openFileBody(file: FileReference, node: Node): Promise<OutboundBody> {
	return { kind: "file", file: await node.effects.files.open(file, node) };
}

async function openParts(unopened: readonly UnopenedPart[], node: Node): Promise<OutboundBody> {
	const parts: MultipartPart[] = [];
	for (const part of unopened) {
		const file = part.file === undefined ? undefined : await node.effects.files.open(part.file, node);
		parts.push({ ...part, file });
	}
	return { kind: "multipart", parts };
}
