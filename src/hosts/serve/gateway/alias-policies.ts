import type { GatewayConfig } from "../../../gateway/index.ts";
import { isPolicy, type Policy } from "../../../kernel/index.ts";
import type { PolicyBook } from "../policies/policy-book.ts";

/** The user's own policies as the aliases of the gateway see them: by name, as they are now. */
export class AliasPolicies {
  private readonly book: PolicyBook;
  private own: ReadonlyMap<string, Policy> = new Map();

  constructor(book: PolicyBook) {
    this.book = book;
  }

  readonly byName = (): ReadonlyMap<string, Policy> => this.own;

  async refresh(): Promise<void> {
    const all = await this.book.list();
    this.own = new Map(all.filter(({ isPreset }) => !isPreset).map(({ name, policy }) => [name, policy as Policy]));
  }

  /** Follows the changes of the user. A policy that an alias has can't be deleted. */
  follow(current: () => GatewayConfig, onChange: () => void): void {
    this.book.addUser({
      purposeOf: (name) => {
        const found = Object.entries(current().aliases ?? {}).find(([, alias]) => policyName(alias) === name);
        return found && `the alias ${found[0]} in gateway.json`;
      },
      onChange: async () => {
        await this.refresh();
        onChange();
      },
    });
  }
}

/** Of a policy that was chosen by its name; one that stands in the file itself is nobody else's. */
function policyName(alias: NonNullable<GatewayConfig["aliases"]>[string]): string | undefined {
  const policy = "policy" in alias ? alias.policy : undefined;
  return isPolicy(policy) ? policy.name : undefined;
}
