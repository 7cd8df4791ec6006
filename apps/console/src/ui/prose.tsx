import { type Block, type Inline, parseBlocks } from "./markdown.ts";

/** Renders a description written in Markdown. */
export function Prose({ of }: { readonly of: string }) {
	return <div className="prose">{parseBlocks(of).map(renderBlock)}</div>;
}

function renderBlock(block: Block, index: number) {
	switch (block.kind) {
		case "code":
			return <pre key={index}>{block.text}</pre>;
		case "paragraph":
			return <p key={index}>{block.inlines.map(renderInline)}</p>;
		case "list":
			return (
				<ul key={index}>
					{block.items.map((item, nth) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a description does not change.
						<li key={nth}>{item.map(renderInline)}</li>
					))}
				</ul>
			);
	}
}

function renderInline(piece: Inline, index: number) {
	switch (piece.kind) {
		case "code":
			return <code key={index}>{piece.text}</code>;
		case "strong":
			return <strong key={index}>{piece.text}</strong>;
		case "link":
			return (
				<a key={index} href={piece.href} rel="noreferrer" target="_blank">
					{piece.text}
				</a>
			);
		case "text":
			return piece.text;
	}
}
