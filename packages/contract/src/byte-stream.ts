/** Reads nothing before somebody asks for it. Cancelling it ends the content. */
export function toByteStream(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
	if (content instanceof ReadableStream) return content;
	const pieces = content[Symbol.asyncIterator]();
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const { done, value } = await pieces.next();
				if (done === true) controller.close();
				else controller.enqueue(value);
			},
			async cancel() {
				await pieces.return?.();
			},
		},
		{ highWaterMark: 0 },
	);
}
