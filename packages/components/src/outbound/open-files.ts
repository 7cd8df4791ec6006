import type { NodeCall } from "@tripline/engine/component";
import type { Effects, FileReference, OpenFile } from "../effects.ts";
import type { MultipartPart, OutboundBody } from "./call.ts";
import type { Email } from "./email/message.ts";

type Node = Pick<NodeCall<Effects>, "effects" | "meter" | "signal">;

/** A body whose files are not opened yet. */
export type UnopenedBody =
	| Exclude<OutboundBody, { kind: "file" | "email" | "multipart" }>
	| { readonly kind: "file"; readonly file: FileReference }
	| {
			readonly kind: "email";
			readonly email: Email<FileReference>;
			readonly encoding?: "base64" | undefined;
	  }
	| { readonly kind: "multipart"; readonly parts: readonly UnopenedPart[] };

export type UnopenedPart = Omit<MultipartPart, "file" | "email"> & {
	readonly file?: FileReference | undefined;
	readonly email?: Email<FileReference> | undefined;
};

/** Asynchronous only if there are files. Rejects if the run may not open one. */
export function openFiles(body: UnopenedBody, node: Node): OutboundBody | Promise<OutboundBody> {
	if (body.kind === "file") return openFileBody(body.file, node);
	if (body.kind === "email") return openEmailBody(body, node);
	if (body.kind !== "multipart") return body;
	const { parts } = body;
	return hasNoFiles(parts) ? { kind: "multipart", parts } : openParts(parts, node);
}

type FilelessPart = Omit<MultipartPart, "file" | "email"> & {
	readonly file?: undefined;
	readonly email?: undefined;
};

const hasNoFiles = (parts: readonly UnopenedPart[]): parts is readonly FilelessPart[] =>
	parts.every(({ file, email }) => file === undefined && email === undefined);

async function openFileBody(file: FileReference, node: Node): Promise<OutboundBody> {
	return { kind: "file", file: await node.effects.files.open(file, node) };
}

async function openEmailBody(
	{ email, ...body }: Extract<UnopenedBody, { kind: "email" }>,
	node: Node,
): Promise<OutboundBody> {
	return { ...body, email: await openAttachments(email, node) };
}

async function openAttachments(email: Email<FileReference>, node: Node): Promise<Email<OpenFile>> {
	const attachments: OpenFile[] = [];
	for (const file of email.attachments) attachments.push(await node.effects.files.open(file, node));
	return { ...email, attachments };
}

async function openParts(unopened: readonly UnopenedPart[], node: Node): Promise<OutboundBody> {
	const parts: MultipartPart[] = [];
	for (const part of unopened) {
		const file = part.file === undefined ? undefined : await node.effects.files.open(part.file, node);
		const email = part.email === undefined ? undefined : await openAttachments(part.email, node);
		parts.push({ ...part, file, email });
	}
	return { kind: "multipart", parts };
}
