import { isTextType } from "@tripline/contract/file-values";

/** Formats of pixels only: an SVG image is a document that may contain scripts. */
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"];
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
export const MAX_TEXT_BYTES = 256 * 1024;

/** How a file can be shown: as an image of this type, or as plain text, whatever the text is. */
export type PreviewKind =
	| { readonly kind: "image"; readonly type: string }
	| { readonly kind: "text" }
	| { readonly kind: "none" };

export function choosePreview({ type, size }: { readonly type: string; readonly size: number }): PreviewKind {
	const plain = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
	if (IMAGE_TYPES.includes(plain) && size <= MAX_IMAGE_BYTES) return { kind: "image", type: plain };
	return isTextType(type) ? { kind: "text" } : { kind: "none" };
}

/** Reads at most this many bytes and drops the rest of the response. */
export async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
	const reader = response.body?.getReader();
	const chunks: Uint8Array[] = [];
	let length = 0;
	while (reader !== undefined && length < maxBytes) {
		const { done, value } = await reader.read();
		if (done) break;
		chunks.push(value.subarray(0, maxBytes - length));
		length += chunks.at(-1)?.length ?? 0;
	}
	await reader?.cancel();
	const bytes = new Uint8Array(length);
	let at = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, at);
		at += chunk.length;
	}
	return bytes;
}

/** An address that the content security policy allows for images. */
export function toDataUrl(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<string> {
	return new Promise((resolve, reject) => {
		const reader = new FileReader();
		reader.onload = () => resolve(String(reader.result));
		reader.onerror = () => reject(reader.error ?? new Error("the image cannot be read"));
		reader.readAsDataURL(new Blob([bytes], { type }));
	});
}
