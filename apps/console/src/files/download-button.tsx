import { isNotFound } from "../api/not-found.ts";
import { useAction } from "../api/use-action.ts";
import { useTexts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { toast } from "../ui/toasts.tsx";
import { downloadFile } from "./download.ts";
import { FILES } from "./texts.ts";

interface Props {
	readonly id: string;
	readonly name: string;
	/** Only an icon. */
	readonly isSquare?: boolean;
}

export function DownloadButton({ id, name, isSquare = false }: Props) {
	const text = useTexts(FILES);
	const download = useAction(async () => {
		try {
			await downloadFile(id);
		} catch (error) {
			if (!(error instanceof Error && isNotFound(error))) throw error;
			toast(text.gone);
		}
	});
	return (
		<>
			<Button
				isSmall
				{...(isSquare && { kind: "quiet", title: text.download })}
				icon="download"
				isBusy={download.isBusy}
				aria-label={text.downloadOne(name)}
				onClick={() => void download.run()}
			>
				{isSquare ? undefined : text.download}
			</Button>
			{download.problem !== null && <Problem error={download.problem} />}
		</>
	);
}
