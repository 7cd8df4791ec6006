import { useRef } from "react";
import { useTexts } from "../../texts/texts.ts";
import { Empty } from "../../ui/empty.tsx";
import type { Checked } from "./text/use-validation.ts";
import { WORKFLOW } from "./texts.ts";

/**
 * The form as people will see it, in a frame that runs no scripts and sends nothing. The frame has the content security
 * policy of the console, which allows no style inside a page, so the style sheet is added from here; that needs
 * `allow-same-origin`.
 */
export function FormPreview({ of: form }: { readonly of: Checked["form"] }) {
	const text = useTexts(WORKFLOW);
	const frame = useRef<HTMLIFrameElement>(null);
	if (form === null) return <Empty icon="info" title={text.noForm} />;
	return (
		<div className="form-preview">
			<p className="soft">{text.formPreviewText}</p>
			<iframe
				ref={frame}
				title={text.formTab}
				sandbox="allow-same-origin"
				srcDoc={form.html}
				onLoad={() => addStyle(form.style)}
			/>
		</div>
	);

	function addStyle(style: string): void {
		const view = frame.current?.contentWindow as (Window & typeof globalThis) | null | undefined;
		if (view === null || view === undefined) return;
		const sheet = new view.CSSStyleSheet();
		sheet.replaceSync(style);
		view.document.adoptedStyleSheets = [sheet];
	}
}
