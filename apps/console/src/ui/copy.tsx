import { useState } from "react";
import { useTexts } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { COMMON } from "./common-texts.ts";

/** Copies a text and briefly confirms it. */
export function CopyButton({ of, label }: { readonly of: string; readonly label?: string }) {
	const text = useTexts(COMMON);
	const [isCopied, setCopied] = useState(false);
	return (
		<Button isSmall icon={isCopied ? "check" : "copy"} onClick={copy}>
			<span aria-live="polite">{isCopied ? text.copied : (label ?? text.copy)}</span>
		</Button>
	);

	async function copy(): Promise<void> {
		await navigator.clipboard.writeText(of);
		setCopied(true);
		setTimeout(() => setCopied(false), 1500);
	}
}

/** Text with a copy button. */
export function Snippet({ of, label }: { readonly of: string; readonly label: string }) {
	return (
		<div className="snippet">
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
			<section tabIndex={0} aria-label={label}>
				<pre>
					<code>{of}</code>
				</pre>
			</section>
			<CopyButton of={of} />
		</div>
	);
}
