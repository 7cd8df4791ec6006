import { quote } from "@tripline/contract/calling/shell-text";

/** A curl command that can be pasted into a shell. */
export const renderCurl = (url: string): string =>
	`curl -X POST ${quote(url)} -H 'content-type: application/json' -d '{}'`;

/** The command that shows calls which need a secret or another body. */
export const renderTest = (name: string): string =>
	`tripline webhooks test ${/^[\w.-]+$/.test(name) ? name : quote(name)}`;
