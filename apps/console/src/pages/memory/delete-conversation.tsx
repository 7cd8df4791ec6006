import { api } from "../../api/api.ts";
import type { ConversationName } from "../../api/types.ts";
import { useTexts } from "../../texts/texts.ts";
import { Removal } from "../../ui/removal.tsx";
import { MEMORY } from "./texts.ts";

interface Props {
	readonly of: ConversationName;
	onRemoved(): void;
	onClose(): void;
}

export function DeleteConversation({ of: { workflow, key }, onRemoved, onClose }: Props) {
	const text = useTexts(MEMORY);
	return (
		<Removal
			title={text.deleteTitle(key)}
			done={text.deleted}
			remove={() => api.conversations.delete({ workflow, key })}
			onRemoved={onRemoved}
			onClose={onClose}
		>
			{text.deleteText}
		</Removal>
	);
}
