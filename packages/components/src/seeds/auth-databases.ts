import type { AuthRecipe } from "@tripline/contract/recipes";
import { open, secret } from "./auth-fields.ts";

const login = (id: "postgresql" | "mysql", title: string, port: number): AuthRecipe => ({
	id,
	title,
	type: "database",
	fields: [
		open("host", `The server, with its port unless that is ${port}: db.example.com or db.example.com:6543`),
		open("database", "The name of the database"),
		open("user", "The user, who should have only the rights that workflows need"),
		secret("password", "The user's password"),
		{
			...open("tls", "off for a server without TLS on a private network; by default TLS is verified"),
			optional: true,
		},
		{
			...open("ca", "The certificate of the server's own authority (PEM), if it is not a public one"),
			optional: true,
		},
	],
	hosts: ["{host}"],
	inject: {
		engine: id,
		database: "{database}",
		user: "{user}",
		password: "{password}",
		tls: "{tls}",
		ca: "{ca}",
	},
});

/** Logins at databases; each credential names its server. */
export const databaseAuth: readonly AuthRecipe[] = [
	login("postgresql", "PostgreSQL database", 5432),
	login("mysql", "MySQL or MariaDB database", 3306),
];
