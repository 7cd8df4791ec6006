import type { StoredFile } from "../../api/types.ts";
import { DownloadButton } from "../../files/download-button.tsx";
import { PreviewButton } from "../../files/file-item.tsx";
import { FILES } from "../../files/texts.ts";
import { formatBytes } from "../../numbers.ts";
import { Link } from "../../router.tsx";
import { buildExecutionPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

interface Props {
	readonly files: readonly StoredFile[];
	onDelete(file: StoredFile): void;
}

export function FileTable({ files, onDelete }: Props) {
	const text = useTexts(FILES);
	return (
		<Table columns={[text.name, text.type, text.size, text.created, text.expires]} actions={text.actions}>
			{files.map((file) => (
				<tr key={file.id}>
					<th scope="row">
						<bdi>{file.name}</bdi>
						{file.kept_as !== null && <p className="soft">{text.keptAs(file.kept_as)}</p>}
					</th>
					<td data-label={text.type}>
						<bdi>{file.type}</bdi>
					</td>
					<td data-label={text.size} className="numbers">
						{formatBytes(file.size)}
					</td>
					<td data-label={text.created}>
						<Time at={file.created_at} />
						{file.execution_id !== null && (
							<p>
								<Link to={buildExecutionPath(file.execution_id)}>{text.ofRun}</Link>
							</p>
						)}
					</td>
					<td data-label={text.expires}>
						{file.expires_at === null ? (
							<span className="soft">{text.never}</span>
						) : (
							<Time at={file.expires_at} />
						)}
					</td>
					<td className="row-actions">
						<PreviewButton id={file.id} file={file} />
						<DownloadButton id={file.id} name={file.name} isSquare />
						<Button
							isSmall
							kind="quiet"
							icon="trash"
							aria-label={text.deleteOne(file.name)}
							onClick={() => onDelete(file)}
						/>
					</td>
				</tr>
			))}
		</Table>
	);
}
