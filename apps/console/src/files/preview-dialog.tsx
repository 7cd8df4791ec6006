import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { isNotFound } from "../api/not-found.ts";
import type { Query } from "../api/use-query.ts";
import { formatBytes } from "../numbers.ts";
import { useTexts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { COMMON } from "../ui/common-texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { DownloadButton } from "./download-button.tsx";
import { choosePreview, MAX_IMAGE_BYTES, MAX_TEXT_BYTES, readAtMost, toDataUrl } from "./preview.ts";
import { FILES } from "./texts.ts";

type Preview =
	| { readonly kind: "image"; readonly url: string }
	| { readonly kind: "text"; readonly text: string; readonly shown: number; readonly size: number }
	| { readonly kind: "none" };

/** Shows an image or the beginning of a text. Anything else, such as a page, is never rendered here. */
export function PreviewDialog({
	id,
	name,
	onClose,
}: {
	readonly id: string;
	readonly name: string;
	onClose(): void;
}) {
	const [text, common] = [useTexts(FILES), useTexts(COMMON)];
	const preview = usePreview(id);
	return (
		<Dialog
			title={name}
			className="file-preview"
			onClose={onClose}
			actions={
				<>
					<Button onClick={onClose}>{common.close}</Button>
					{!isNotFound(preview.problem) && <DownloadButton id={id} name={name} />}
				</>
			}
		>
			<Loaded query={preview} missing={<p>{text.gone}</p>}>
				{(loaded) => <Content preview={loaded} name={name} />}
			</Loaded>
		</Dialog>
	);
}

function Content({ preview, name }: { readonly preview: Preview; readonly name: string }) {
	const text = useTexts(FILES);
	const [isBroken, setBroken] = useState(false);
	if (preview.kind === "none") return <p>{text.noPreview}</p>;
	if (preview.kind === "image")
		return isBroken ? (
			<p>{text.brokenImage}</p>
		) : (
			<img src={preview.url} alt={name} onError={() => setBroken(true)} />
		);
	return (
		<>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
			<section tabIndex={0} aria-label={text.content}>
				<pre>{preview.text}</pre>
			</section>
			{preview.shown < preview.size && (
				<p className="soft">{text.truncated(formatBytes(preview.shown), formatBytes(preview.size))}</p>
			)}
		</>
	);
}

/** Not a query of the cache, which would hold many images. */
function usePreview(id: string): Query<Preview> {
	const [asked, setAsked] = useState(0);
	const [state, setState] = useState<{ data: Preview | undefined; problem: Error | null }>(LOADING);
	// biome-ignore lint/correctness/useExhaustiveDependencies: a change of `asked` reloads.
	useEffect(() => {
		const stop = new AbortController();
		loadPreview(id, stop.signal).then(
			(data) => setState({ data, problem: null }),
			(error: unknown) => {
				if (stop.signal.aborted) return;
				setState({ data: undefined, problem: error instanceof Error ? error : new Error(String(error)) });
			},
		);
		return () => stop.abort();
	}, [id, asked]);
	return {
		...state,
		isLoading: state.data === undefined && state.problem === null,
		reload() {
			setState(LOADING);
			setAsked((count) => count + 1);
		},
		set: (data) => setState({ data, problem: null }),
	};
}

const LOADING = { data: undefined, problem: null };

/** The type and size come from the service: a value in a result may be made up. */
async function loadPreview(id: string, signal: AbortSignal): Promise<Preview> {
	const file = await api.files.get(id, signal);
	const chosen = choosePreview(file);
	if (chosen.kind === "none") return chosen;
	const response = await api.files.content(id, signal);
	if (chosen.kind === "image") {
		const bytes = await readAtMost(response, MAX_IMAGE_BYTES);
		return { kind: "image", url: await toDataUrl(bytes, chosen.type) };
	}
	const bytes = await readAtMost(response, MAX_TEXT_BYTES);
	return { kind: "text", text: new TextDecoder().decode(bytes), shown: bytes.length, size: file.size };
}
