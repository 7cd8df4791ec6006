import {
	ConnectionTest,
	CredentialList,
	CredentialName,
	SignInLink,
	WriteCredential,
	WrittenCredential,
} from "@tripline/contract/credentials";
import { DeletedAnswer } from "@tripline/contract/entries";
import { AuthRecipeList } from "@tripline/contract/recipes";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import { createNotFound, type GuiCall, type GuiParts, getExecutor, TAG as tag } from "./parts.ts";

const Name = z.object({ name: CredentialName });

export const credentialRoutes = (parts: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/credentials",
		tag,
		summary: "The credentials, without their values",
		responses: { 200: { description: "By name", body: CredentialList } },
		async handle(call: GuiCall) {
			return reply(200, await getExecutor(parts, call).credentials.list());
		},
	}),

	route({
		method: "PUT",
		path: "/gui/credentials/{name}",
		tag,
		summary: "Create or replace a credential",
		description: "Its values are encrypted before they are stored, and are never returned.",
		params: Name,
		body: WriteCredential,
		responses: {
			200: { description: "Replaced", body: WrittenCredential },
			201: { description: "Created", body: WrittenCredential },
		},
		async handle(call) {
			const written = await getExecutor(parts, call).credentials.put(call.params.name, call.body);
			return reply(written.created ? 201 : 200, written);
		},
	}),

	route({
		method: "POST",
		path: "/gui/credentials/{name}/sign-in",
		tag,
		summary: "Get a link with which the owner signs in at the service",
		params: Name,
		responses: { 201: { description: "The link", body: SignInLink } },
		async handle(call) {
			const link = await getExecutor(parts, call).credentials.signIn(call.params.name);
			if (link === null) throw createNotFound("credential");
			return reply(201, link);
		},
	}),

	route({
		method: "POST",
		path: "/gui/credentials/{name}/test",
		tag,
		summary: "Log in with a credential of a database or a mail server",
		params: Name,
		responses: { 200: { description: "Whether the login worked", body: ConnectionTest } },
		async handle(call) {
			const tested = await getExecutor(parts, call).credentials.test(call.params.name);
			if (tested === null) throw createNotFound("credential");
			return reply(200, tested);
		},
	}),

	route({
		method: "DELETE",
		path: "/gui/credentials/{name}",
		tag,
		summary: "Delete a credential",
		params: Name,
		responses: { 200: { description: "Deleted", body: DeletedAnswer } },
		async handle(call) {
			if (!(await getExecutor(parts, call).credentials.delete(call.params.name)))
				throw createNotFound("credential");
			return reply(200, { deleted: true });
		},
	}),

	route({
		method: "GET",
		path: "/gui/auth-recipes",
		tag,
		summary: "Auth recipes: the fields of a credential and its allowed hosts",
		responses: { 200: { description: "All auth recipes", body: AuthRecipeList } },
		async handle(call: GuiCall) {
			return reply(200, await getExecutor(parts, call).listAuthRecipes());
		},
	}),
];
