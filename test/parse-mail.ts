import PostalMime from "postal-mime";

/** A message as a mail program reads it. Attachments have their bytes. */
export async function parseMail(message: Uint8Array | string) {
	const { attachments, ...parsed } = await PostalMime.parse(message);
	return {
		...parsed,
		attachments: attachments.map(({ filename, mimeType, content }) => ({
			...{ filename, mimeType },
			bytes: new Uint8Array(content as ArrayBuffer),
		})),
	};
}
