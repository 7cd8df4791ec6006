import { useState } from "react";
import type { FileValue } from "../api/types.ts";
import { formatBytes } from "../numbers.ts";
import { useTexts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { DownloadButton } from "./download-button.tsx";
import { choosePreview } from "./preview.ts";
import { PreviewDialog } from "./preview-dialog.tsx";
import { FILES } from "./texts.ts";

/** A file that a value names: name, type, size, preview and download. */
export function FileItem({ file }: { readonly file: FileValue }) {
	const { $file: id, name, type, size } = file;
	return (
		<span className="file-item">
			<Icon name="file" />
			<bdi className="file-name">{name}</bdi>
			<span className="soft">
				<bdi>{type}</bdi>, {formatBytes(size)}
			</span>
			<span className="file-actions">
				<PreviewButton id={id} file={file} />
				<DownloadButton id={id} name={name} isSquare />
			</span>
		</span>
	);
}

interface PreviewProps {
	readonly id: string;
	readonly file: { readonly name: string; readonly type: string; readonly size: number };
}

/** Nothing if the type cannot be shown. */
export function PreviewButton({ id, file }: PreviewProps) {
	const text = useTexts(FILES);
	const [isOpen, setOpen] = useState(false);
	if (choosePreview(file).kind === "none") return null;
	return (
		<>
			<Button
				isSmall
				kind="quiet"
				icon="eye"
				title={text.preview}
				aria-label={text.previewOne(file.name)}
				onClick={() => setOpen(true)}
			/>
			{isOpen && <PreviewDialog id={id} name={file.name} onClose={() => setOpen(false)} />}
		</>
	);
}
