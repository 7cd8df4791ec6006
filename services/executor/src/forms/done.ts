/** What happens after a form was submitted. */
export type Done =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "address"; readonly address: string };

/** An https address, else a text. Null if the form says nothing. */
export function parseDone(done: string | undefined): Done | null {
	if (done === undefined || done.trim() === "") return null;
	const address = done.trim();
	return /^https:\/\/[^\s/\\]\S*$/i.test(address) && URL.canParse(address)
		? { kind: "address", address: new URL(address).href }
		: { kind: "text", text: done };
}
