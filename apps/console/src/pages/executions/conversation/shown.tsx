const MAX_PREVIEW_LENGTH = 120;

/** A text behind its beginning. */
export function Shown({ label, children: shown }: { readonly label: string; readonly children: string }) {
	return (
		<details className="trace-log">
			<summary>
				{label}
				<span className="call-preview">{shown.slice(0, MAX_PREVIEW_LENGTH).toWellFormed()}</span>
			</summary>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
			<pre tabIndex={0}>{shown}</pre>
		</details>
	);
}
