/** A curl command that can be pasted into a shell. */
export const renderCurl = (url: string): string =>
	`curl -X POST ${quote(url)} -H 'content-type: application/json' -d '{}'`;

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
