import { api } from "../api/api.ts";
import type { Notice } from "../api/types.ts";
import { useQuery } from "../api/use-query.ts";
import { formatBytes } from "../numbers.ts";
import { Link } from "../router.tsx";
import { useTexts } from "../texts/texts.ts";
import { Icon } from "../ui/icon.tsx";
import { BANNER } from "./banner-texts.ts";

const POLL_MS = 60_000;
const MAX_SHOWN = 3;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** What needs the operator, above every page. Nothing is shown if all is well, or if the service does not answer. */
export default function Banner() {
	const text = useTexts(BANNER);
	const { data } = useQuery("/gui/status", api.status, { everyMs: POLL_MS });
	if (data === undefined) return null;
	const notices = [...data.attention, ...findMismatch(data.address)];
	if (notices.length === 0) return null;
	const hasProblem = notices.some(({ level }) => level === "problem");
	return (
		<section className={hasProblem ? "problem banner" : "problem banner mild"} aria-label={text.label}>
			<Icon name="alert" />
			<ul>
				{notices.slice(0, MAX_SHOWN).map((notice) => (
					<li key={`${notice.code} ${notice.subject}`}>
						<NoticeText notice={notice} />
					</li>
				))}
				{notices.length > MAX_SHOWN && <li>{text.more(notices.length - MAX_SHOWN)}</li>}
			</ul>
		</section>
	);
}

type Shown = Notice | (Pick<Notice, "level"> & { readonly code: "address"; readonly subject: string });

/** Logins and links lead to the address of the settings. On the service's own machine another one is fine. */
function findMismatch(address: string | null): Shown[] {
	if (address === null || LOOPBACK.test(location.hostname)) return [];
	const { origin } = new URL(address);
	return origin === location.origin ? [] : [{ code: "address", level: "warning", subject: origin }];
}

function NoticeText({ notice: { code, subject } }: { readonly notice: Shown }) {
	const text = useTexts(BANNER);
	switch (code) {
		case "disk":
			return text.disk(formatBytes(Number(subject)));
		case "restart":
			return text.restart(subject ?? "");
		case "address":
			return text.address(subject);
		case "trigger":
			return (
				<>
					{text.trigger} <Link to={`/workflows/${encodeURIComponent(subject ?? "")}`}>{subject}</Link>
				</>
			);
		default:
			return text[code];
	}
}
