import { lazy, Suspense, useEffect, useState } from "react";
import { forgetAll } from "../api/use-query.ts";
import { matched, usePath } from "../router.tsx";
import { useSession } from "../session/session.ts";
import { useLanguage, useTexts } from "../texts/texts.ts";
import { COMMON } from "../ui/common-texts.ts";
import { Empty } from "../ui/empty.tsx";
import { Skeleton } from "../ui/loaded.tsx";
import { Page } from "../ui/page.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { Navigation } from "./navigation.tsx";
import { PageGuard } from "./page-guard.tsx";
import { ShortcutsDialog, useShortcuts } from "./palette-shortcuts.tsx";
import { ROUTES } from "./routes.ts";

/** What most visits do without is loaded when it is asked for. */
const LoginPage = lazy(() => import("../pages/login/login-page.tsx"));
const Palette = lazy(() => import("./palette.tsx"));

export function App() {
	const session = useSession();
	const path = usePath();
	const language = useLanguage();
	useEffect(() => {
		document.documentElement.lang = language;
	}, [language]);
	useEffect(() => {
		if (session === null) forgetAll();
	}, [session]);
	if (session === null || path === "/callback")
		return (
			<Suspense>
				<LoginPage />
			</Suspense>
		);
	return <Console key={session.token} />;
}

function Console() {
	const path = usePath();
	const [overlay, setOverlay] = useState<"palette" | "shortcuts" | null>(null);
	useShortcuts({ onPalette: () => setOverlay("palette"), onHelp: () => setOverlay("shortcuts") });
	return (
		<div className="shell">
			<Navigation path={path} onPalette={() => setOverlay("palette")} />
			<main id="content" tabIndex={-1}>
				<PageGuard key={ROUTES.find(({ pattern }) => matched(pattern, path) !== null)?.stays ?? path}>
					<Suspense fallback={<Skeleton lines={6} />}>
						<CurrentPage path={path} />
					</Suspense>
				</PageGuard>
			</main>
			{overlay === "palette" && (
				<Suspense>
					<Palette onClose={() => setOverlay(null)} onShortcuts={() => setOverlay("shortcuts")} />
				</Suspense>
			)}
			{overlay === "shortcuts" && <ShortcutsDialog onClose={() => setOverlay(null)} />}
			<Toasts />
		</div>
	);
}

function CurrentPage({ path }: { readonly path: string }) {
	const text = useTexts(COMMON);
	for (const { pattern, page: Shown } of ROUTES) {
		const params = matched(pattern, path);
		if (params !== null) return <Shown params={params} />;
	}
	return (
		<Page title={text.notFound}>
			<Empty icon="search" title={path} />
		</Page>
	);
}
