import { type FormEvent, useEffect, useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { navigate, usePath } from "../../router.tsx";
import { finishLogin, goToLogin, LoginMismatch } from "../../session/login.ts";
import { beginSession, getEndReason } from "../../session/session.ts";
import { Mark } from "../../shell/mark.tsx";
import { LANGUAGES, setLanguage, texts, useLanguage, useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";

const LOGIN = texts({
	en: {
		title: "Log in to Tripline",
		lead: "The next page asks for the owner secret of this service.",
		logIn: "Log in",
		insecure: "Login requires https or a local address such as 127.0.0.1. You can use a token instead.",
		expired: "Your session has expired. Log in again.",
		tokenTitle: "Use a token instead",
		tokenLabel: "Access token",
		tokenHint: "MCP_STATIC_TOKEN or a partner key. It is stored until you close this tab.",
		useToken: "Use this token",
		tokenInvalid: "This token is not valid.",
		finishing: "Logging in",
		mismatch: "This login was started in another tab or is already complete. Log in again.",
		language: "Language",
	},
	"zh-Hant": {
		title: "登入 Tripline",
		lead: "下一頁會要求輸入這個服務的擁有者密鑰。",
		logIn: "登入",
		insecure: "登入需要 https 或本機位址（例如 127.0.0.1）。你也可以改用權杖。",
		expired: "登入已過期，請重新登入。",
		tokenTitle: "改用權杖登入",
		tokenLabel: "存取權杖",
		tokenHint: "MCP_STATIC_TOKEN 或合作夥伴金鑰，只保存到關閉這個分頁為止。",
		useToken: "使用這個權杖",
		tokenInvalid: "這個權杖無效。",
		finishing: "登入中",
		mismatch: "這次登入是在其他分頁開始的，或已經完成。請重新登入。",
		language: "語言",
	},
});

export default function LoginPage() {
	const text = useTexts(LOGIN);
	const language = useLanguage();
	const isCallback = usePath() === "/callback";
	const [problem, setProblem] = useState<Error | null>(null);
	const login = useAction(() =>
		goToLogin(isCallback ? "/" : location.pathname.slice("/console".length) + location.search),
	);
	useEffect(() => {
		document.title = `${text.title} · Tripline`;
	}, [text]);
	useEffect(() => {
		if (isCallback) finishOnce().then((back) => navigate(back || "/", { replace: true }), setProblem);
	}, [isCallback]);

	return (
		<main className="login">
			<div className="login-card">
				<p className="brand">
					<Mark size={30} />
					Tripline
				</p>
				{isCallback && problem === null ? (
					<p role="status" className="line">
						<span className="spinner" /> {text.finishing}
					</p>
				) : (
					<>
						<h1>{text.title}</h1>
						{getEndReason() === "expired" && !isCallback && <p role="status">{text.expired}</p>}
						<p className="soft">{isSecureContext ? text.lead : text.insecure}</p>
						{(problem ?? login.problem) !== null && (
							<Problem
								error={
									problem instanceof LoginMismatch
										? new Error(text.mismatch)
										: ((problem ?? login.problem) as Error)
								}
							/>
						)}
						<Button
							kind="primary"
							isBusy={login.isBusy}
							disabled={!isSecureContext}
							onClick={() => login.run()}
						>
							{text.logIn}
						</Button>
						<TokenForm />
					</>
				)}
			</div>
			<p className="soft languages">
				{Object.entries(LANGUAGES).map(([id, name]) => (
					<button
						key={id}
						type="button"
						lang={id}
						aria-pressed={language === id}
						onClick={() => setLanguage(id as keyof typeof LANGUAGES)}
					>
						{name}
					</button>
				))}
			</p>
		</main>
	);
}

let finishing: Promise<string> | undefined;

/** An authorization code can be used once, but an effect may run twice. */
function finishOnce(): Promise<string> {
	finishing ??= finishLogin(new URLSearchParams(location.search));
	return finishing;
}

function TokenForm() {
	const text = useTexts(LOGIN);
	const [token, setToken] = useState("");
	const use = useAction(async () => {
		const response = await fetch("/gui/session", { headers: { authorization: `Bearer ${token.trim()}` } });
		if (!response.ok) throw new Error(text.tokenInvalid);
		beginSession(token.trim(), { isTyped: true });
	});
	return (
		<details>
			<summary>{text.tokenTitle}</summary>
			<form onSubmit={submit}>
				<Field label={text.tokenLabel} hint={text.tokenHint} problem={use.problem?.message ?? null}>
					{(control) => (
						<input
							{...control}
							type="password"
							autoComplete="off"
							required
							value={token}
							onChange={(event) => setToken(event.target.value)}
						/>
					)}
				</Field>
				<Button type="submit" isBusy={use.isBusy}>
					{text.useToken}
				</Button>
			</form>
		</details>
	);

	function submit(event: FormEvent): void {
		event.preventDefault();
		use.run();
	}
}
