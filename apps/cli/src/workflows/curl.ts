/** A curl command that can be pasted into a shell. */
export const curlOf = (url: string): string =>
	`curl -X POST ${quoted(url)} -H 'content-type: application/json' -d '{}'`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
