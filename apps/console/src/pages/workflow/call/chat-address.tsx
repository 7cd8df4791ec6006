import { useState } from "react";
import { api } from "../../../api/api.ts";
import { useAction } from "../../../api/use-action.ts";
import { safeLink } from "../../../safe-link.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Snippet } from "../../../ui/copy.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { TRIGGER } from "./trigger-texts.ts";

/** The page on which people talk to the workflow. Its link is made when it is asked for, because it lets others in. */
export function ChatAddress({ name }: { readonly name: string }) {
	const text = useTexts(TRIGGER);
	const [url, setUrl] = useState<string | null>(null);
	const make = useAction(async () => setUrl((await api.workflows.createChatLink(name)).url));
	const link = url === null ? null : safeLink(url);
	return (
		<section>
			<h2>{text.chat}</h2>
			<p className="soft">{text.chatText}</p>
			{url !== null && <Snippet of={url} label={text.chat} />}
			{make.problem !== null && <Problem error={make.problem} />}
			<p>
				{link === null ? (
					<Button icon="connect" isBusy={make.isBusy} onClick={() => make.run()}>
						{text.makeChatLink}
					</Button>
				) : (
					<a className="button plain" href={link} target="_blank" rel="noopener noreferrer">
						<Icon name="external" />
						{text.openChat}
					</a>
				)}
			</p>
		</section>
	);
}
