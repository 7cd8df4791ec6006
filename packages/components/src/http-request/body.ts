import type { UnopenedBody } from "../outbound/open-files.ts";
import type { Params } from "./params.ts";

export function buildBody(params: Params): UnopenedBody | undefined {
	if (params.json !== undefined) return { kind: "json", value: params.json };
	if (params.form !== undefined) return { kind: "form", fields: params.form };
	if (params.text !== undefined) return { kind: "text", text: params.text };
	if (params.base64 !== undefined) return { kind: "base64", data: params.base64 };
	if (params.file !== undefined) return { kind: "file", file: params.file };
	if (params.multipart === undefined) return undefined;
	const parts = params.multipart.map(({ content_type, ...part }) => ({ ...part, contentType: content_type }));
	return { kind: "multipart", parts };
}
