_unthink() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="unthink"
                ;;
            unthink,check)
                cmd="unthink__subcmd__check"
                ;;
            unthink,completions)
                cmd="unthink__subcmd__completions"
                ;;
            unthink,convert)
                cmd="unthink__subcmd__convert"
                ;;
            unthink,explain)
                cmd="unthink__subcmd__explain"
                ;;
            unthink,help)
                cmd="unthink__subcmd__help"
                ;;
            unthink,identify)
                cmd="unthink__subcmd__identify"
                ;;
            unthink,list)
                cmd="unthink__subcmd__list"
                ;;
            unthink,man)
                cmd="unthink__subcmd__man"
                ;;
            unthink,profile)
                cmd="unthink__subcmd__profile"
                ;;
            unthink,repair)
                cmd="unthink__subcmd__repair"
                ;;
            unthink,show)
                cmd="unthink__subcmd__show"
                ;;
            unthink,split)
                cmd="unthink__subcmd__split"
                ;;
            unthink,strip)
                cmd="unthink__subcmd__strip"
                ;;
            unthink,tokens)
                cmd="unthink__subcmd__tokens"
                ;;
            unthink__subcmd__help,check)
                cmd="unthink__subcmd__help__subcmd__check"
                ;;
            unthink__subcmd__help,completions)
                cmd="unthink__subcmd__help__subcmd__completions"
                ;;
            unthink__subcmd__help,convert)
                cmd="unthink__subcmd__help__subcmd__convert"
                ;;
            unthink__subcmd__help,explain)
                cmd="unthink__subcmd__help__subcmd__explain"
                ;;
            unthink__subcmd__help,help)
                cmd="unthink__subcmd__help__subcmd__help"
                ;;
            unthink__subcmd__help,identify)
                cmd="unthink__subcmd__help__subcmd__identify"
                ;;
            unthink__subcmd__help,list)
                cmd="unthink__subcmd__help__subcmd__list"
                ;;
            unthink__subcmd__help,man)
                cmd="unthink__subcmd__help__subcmd__man"
                ;;
            unthink__subcmd__help,profile)
                cmd="unthink__subcmd__help__subcmd__profile"
                ;;
            unthink__subcmd__help,repair)
                cmd="unthink__subcmd__help__subcmd__repair"
                ;;
            unthink__subcmd__help,show)
                cmd="unthink__subcmd__help__subcmd__show"
                ;;
            unthink__subcmd__help,split)
                cmd="unthink__subcmd__help__subcmd__split"
                ;;
            unthink__subcmd__help,strip)
                cmd="unthink__subcmd__help__subcmd__strip"
                ;;
            unthink__subcmd__help,tokens)
                cmd="unthink__subcmd__help__subcmd__tokens"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        unthink)
            opts="-p -O -0 -g -r -j -f -q -v -h -V --policy --close --start --inline --blocks --marker --output-file --output-dir --files-from --null --glob --hidden --no-ignore --recursive --jobs --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help --version strip split convert tokens check repair explain show identify profile list completions man help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --policy)
                    COMPREPLY=($(compgen -W "none all all-but-last before-last-user keep-tool-turns keep-last-1 replay:anthropic replay:vertex-claude replay:deepseek-anthropic replay:bedrock replay:openai-responses replay:azure replay:github-copilot replay:xai replay:deepseek-responses replay:openai-chat replay:openrouter replay:deepseek replay:deepseek-r1-2025 replay:kimi replay:qwen replay:minimax replay:mistral replay:groq replay:cerebras replay:fireworks replay:together replay:zai-glm replay:vllm replay:ollama replay:cohere replay:llama.cpp replay:gemini-openai replay:gemini replay:vertex-gemini" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "none all all-but-last before-last-user keep-tool-turns keep-last-1 replay:anthropic replay:vertex-claude replay:deepseek-anthropic replay:bedrock replay:openai-responses replay:azure replay:github-copilot replay:xai replay:deepseek-responses replay:openai-chat replay:openrouter replay:deepseek replay:deepseek-r1-2025 replay:kimi replay:qwen replay:minimax replay:mistral replay:groq replay:cerebras replay:fireworks replay:together replay:zai-glm replay:vllm replay:ollama replay:cohere replay:llama.cpp replay:gemini-openai replay:gemini replay:vertex-gemini" -- "${cur}"))
                    return 0
                    ;;
                --close)
                    COMPREPLY=($(compgen -W "first balanced last" -- "${cur}"))
                    return 0
                    ;;
                --start)
                    COMPREPLY=($(compgen -W "auto visible reasoning" -- "${cur}"))
                    return 0
                    ;;
                --inline)
                    COMPREPLY=($(compgen -W "ask mention delimiter" -- "${cur}"))
                    return 0
                    ;;
                --blocks)
                    COMPREPLY=($(compgen -W "one all" -- "${cur}"))
                    return 0
                    ;;
                --marker)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__check)
            opts="-p -o -0 -g -r -j -f -q -v -h --select --ignore --target --strict --fail-on --policy --ask --min-length --duplicate-percent --max-reasoning-tokens --max-ratio --max-delegation-depth --capability --max-messages --allow --output --output-file --excerpt --max-findings --exit-zero --baseline --write-baseline --ignore-findings --explain --files-from --null --glob --hidden --no-ignore --recursive --jobs --close --start --inline --blocks --marker --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --select)
                    COMPREPLY=($(compgen -W "UT101 reasoning-prefix UT102 reasoning-passage UT103 inline-tag UT104 service-token UT105 reasoning-present UT106 duplicate-reasoning UT107 unread-reasoning UT108 undecided-tag UT201 second-block UT202 unclosed-block UT203 stray-marker UT204 empty-block UT205 ambiguous-close UT211 unknown-context UT212 unclosed-sequence UT213 duplicate-context UT214 after-conclusion UT215 missing-correlation UT216 capability UT217 flood UT221 blank-agent-prompt UT222 agent-prompt-too-long UT223 return-without-delegation UT224 unreturned-delegation UT225 nested-delegation UT301 bad-json UT302 cut-tail UT303 invalid-utf8 UT304 duplicate-key UT305 lone-surrogate UT401 max-reasoning-tokens UT402 max-ratio" -- "${cur}"))
                    return 0
                    ;;
                --ignore)
                    COMPREPLY=($(compgen -W "UT101 reasoning-prefix UT102 reasoning-passage UT103 inline-tag UT104 service-token UT105 reasoning-present UT106 duplicate-reasoning UT107 unread-reasoning UT108 undecided-tag UT201 second-block UT202 unclosed-block UT203 stray-marker UT204 empty-block UT205 ambiguous-close UT211 unknown-context UT212 unclosed-sequence UT213 duplicate-context UT214 after-conclusion UT215 missing-correlation UT216 capability UT217 flood UT221 blank-agent-prompt UT222 agent-prompt-too-long UT223 return-without-delegation UT224 unreturned-delegation UT225 nested-delegation UT301 bad-json UT302 cut-tail UT303 invalid-utf8 UT304 duplicate-key UT305 lone-surrogate UT401 max-reasoning-tokens UT402 max-ratio" -- "${cur}"))
                    return 0
                    ;;
                --target)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --fail-on)
                    COMPREPLY=($(compgen -W "error warning" -- "${cur}"))
                    return 0
                    ;;
                --policy)
                    COMPREPLY=($(compgen -W "none all all-but-last before-last-user keep-tool-turns keep-last-1" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "none all all-but-last before-last-user keep-tool-turns keep-last-1" -- "${cur}"))
                    return 0
                    ;;
                --ask)
                    COMPREPLY=($(compgen -W "leaks any" -- "${cur}"))
                    return 0
                    ;;
                --min-length)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --duplicate-percent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-reasoning-tokens)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-ratio)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-delegation-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --capability)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-messages)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -W "full concise json jsonl sarif junit github gitlab prometheus summary" -- "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -W "full concise json jsonl sarif junit github gitlab prometheus summary" -- "${cur}"))
                    return 0
                    ;;
                --output-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-findings)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --baseline)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --write-baseline)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --ignore-findings)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --explain)
                    COMPREPLY=($(compgen -W "UT101 reasoning-prefix UT102 reasoning-passage UT103 inline-tag UT104 service-token UT105 reasoning-present UT106 duplicate-reasoning UT107 unread-reasoning UT108 undecided-tag UT201 second-block UT202 unclosed-block UT203 stray-marker UT204 empty-block UT205 ambiguous-close UT211 unknown-context UT212 unclosed-sequence UT213 duplicate-context UT214 after-conclusion UT215 missing-correlation UT216 capability UT217 flood UT221 blank-agent-prompt UT222 agent-prompt-too-long UT223 return-without-delegation UT224 unreturned-delegation UT225 nested-delegation UT301 bad-json UT302 cut-tail UT303 invalid-utf8 UT304 duplicate-key UT305 lone-surrogate UT401 max-reasoning-tokens UT402 max-ratio" -- "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --close)
                    COMPREPLY=($(compgen -W "first balanced last" -- "${cur}"))
                    return 0
                    ;;
                --start)
                    COMPREPLY=($(compgen -W "auto visible reasoning" -- "${cur}"))
                    return 0
                    ;;
                --inline)
                    COMPREPLY=($(compgen -W "ask mention delimiter" -- "${cur}"))
                    return 0
                    ;;
                --blocks)
                    COMPREPLY=($(compgen -W "one all" -- "${cur}"))
                    return 0
                    ;;
                --marker)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__completions)
            opts="-f -q -v -h --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help bash elvish fish powershell zsh"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__convert)
            opts="-t -p -O -0 -g -r -j -f -q -v -h --to --spelling --fill-empty --policy --field --column --prompt --escape --seed --strict --report-loss --replay --close --start --inline --blocks --marker --output-file --output-dir --files-from --null --glob --hidden --no-ignore --recursive --jobs --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --to)
                    COMPREPLY=($(compgen -W "chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter anthropic interactions responses bedrock gemini ollama cohere vercel gromozeka mew xml-lines serialized" -- "${cur}"))
                    return 0
                    ;;
                -t)
                    COMPREPLY=($(compgen -W "chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter anthropic interactions responses bedrock gemini ollama cohere vercel gromozeka mew xml-lines serialized" -- "${cur}"))
                    return 0
                    ;;
                --spelling)
                    COMPREPLY=($(compgen -W "reasoning-content reasoning tagged harmony" -- "${cur}"))
                    return 0
                    ;;
                --policy)
                    COMPREPLY=($(compgen -W "none all all-but-last before-last-user keep-tool-turns keep-last-1" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "none all all-but-last before-last-user keep-tool-turns keep-last-1" -- "${cur}"))
                    return 0
                    ;;
                --field)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --column)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --prompt)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --seed)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --report-loss)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --replay)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --close)
                    COMPREPLY=($(compgen -W "first balanced last" -- "${cur}"))
                    return 0
                    ;;
                --start)
                    COMPREPLY=($(compgen -W "auto visible reasoning" -- "${cur}"))
                    return 0
                    ;;
                --inline)
                    COMPREPLY=($(compgen -W "ask mention delimiter" -- "${cur}"))
                    return 0
                    ;;
                --blocks)
                    COMPREPLY=($(compgen -W "one all" -- "${cur}"))
                    return 0
                    ;;
                --marker)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__explain)
            opts="-f -q -v -h --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help)
            opts="strip split convert tokens check repair explain show identify profile list completions man help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__check)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__completions)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__convert)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__explain)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__help)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__identify)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__list)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__man)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__profile)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__repair)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__show)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__split)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__strip)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__help__subcmd__tokens)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__identify)
            opts="-a -o -O -0 -g -r -j -f -q -v -h --quick --full --all --output --output-file --files-from --null --glob --hidden --no-ignore --recursive --jobs --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --output)
                    COMPREPLY=($(compgen -W "table jsonl json" -- "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -W "table jsonl json" -- "${cur}"))
                    return 0
                    ;;
                --output-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__list)
            opts="-o -f -q -v -h --target --output --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help dialects tags policies settings rules targets unread"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --target)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__man)
            opts="-f -q -v -h --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help unthink strip split convert identify repair explain tokens check show profile list completions man rules"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__profile)
            opts="-o -f -q -v -h --output --check --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --output)
                    COMPREPLY=($(compgen -W "json table" -- "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -W "json table" -- "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__repair)
            opts="-i -O -0 -g -r -f -q -v -h --target --hollow --settings --drop --fill --in-place --dry-run --diff --output-file --output-dir --files-from --null --glob --hidden --no-ignore --recursive --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --target)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --drop)
                    COMPREPLY=($(compgen -W "encrypted" -- "${cur}"))
                    return 0
                    ;;
                --fill)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --in-place)
                    COMPREPLY=("${cur}")
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o nospace
                    fi
                    return 0
                    ;;
                -i)
                    COMPREPLY=("${cur}")
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o nospace
                    fi
                    return 0
                    ;;
                --output-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__show)
            opts="-O -0 -g -r -f -q -v -h --html --svg --against --hide-reasoning --no-reasoning --redact --theme --width --collapse --tools --raw --paging --close --start --inline --blocks --marker --output-file --output-dir --files-from --null --glob --hidden --no-ignore --recursive --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --html)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --against)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --redact)
                    COMPREPLY=("${cur}")
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o nospace
                    fi
                    return 0
                    ;;
                --theme)
                    COMPREPLY=($(compgen -W "auto dark light" -- "${cur}"))
                    return 0
                    ;;
                --width)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --tools)
                    COMPREPLY=($(compgen -W "line full none" -- "${cur}"))
                    return 0
                    ;;
                --paging)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --close)
                    COMPREPLY=($(compgen -W "first balanced last" -- "${cur}"))
                    return 0
                    ;;
                --start)
                    COMPREPLY=($(compgen -W "auto visible reasoning" -- "${cur}"))
                    return 0
                    ;;
                --inline)
                    COMPREPLY=($(compgen -W "ask mention delimiter" -- "${cur}"))
                    return 0
                    ;;
                --blocks)
                    COMPREPLY=($(compgen -W "one all" -- "${cur}"))
                    return 0
                    ;;
                --marker)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-dir)
                    COMPREPLY=()
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o plusdirs
                    fi
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__split)
            opts="-o -O -0 -g -r -j -f -q -v -h --output --only --reasoning-to --field --join --verbatim --postproc --close --start --inline --blocks --marker --output-file --files-from --null --glob --hidden --no-ignore --recursive --jobs --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --output)
                    COMPREPLY=($(compgen -W "json text events sse prometheus" -- "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -W "json text events sse prometheus" -- "${cur}"))
                    return 0
                    ;;
                --only)
                    COMPREPLY=($(compgen -W "visible reasoning" -- "${cur}"))
                    return 0
                    ;;
                --reasoning-to)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --field)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --join)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --close)
                    COMPREPLY=($(compgen -W "first balanced last" -- "${cur}"))
                    return 0
                    ;;
                --start)
                    COMPREPLY=($(compgen -W "auto visible reasoning" -- "${cur}"))
                    return 0
                    ;;
                --inline)
                    COMPREPLY=($(compgen -W "ask mention delimiter" -- "${cur}"))
                    return 0
                    ;;
                --blocks)
                    COMPREPLY=($(compgen -W "one all" -- "${cur}"))
                    return 0
                    ;;
                --marker)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__strip)
            opts="-p -i -O -0 -g -r -j -f -q -v -h --policy --unit --context --agent --empty --intermediate --delegations --redact --signatures --field --drop --stats --in-place --dry-run --diff --close --start --inline --blocks --marker --output-file --output-dir --files-from --null --glob --hidden --no-ignore --recursive --jobs --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --policy)
                    COMPREPLY=($(compgen -W "none all all-but-last before-last-user keep-tool-turns keep-last-1 replay:anthropic replay:vertex-claude replay:deepseek-anthropic replay:bedrock replay:openai-responses replay:azure replay:github-copilot replay:xai replay:deepseek-responses replay:openai-chat replay:openrouter replay:deepseek replay:deepseek-r1-2025 replay:kimi replay:qwen replay:minimax replay:mistral replay:groq replay:cerebras replay:fireworks replay:together replay:zai-glm replay:vllm replay:ollama replay:cohere replay:llama.cpp replay:gemini-openai replay:gemini replay:vertex-gemini" -- "${cur}"))
                    return 0
                    ;;
                -p)
                    COMPREPLY=($(compgen -W "none all all-but-last before-last-user keep-tool-turns keep-last-1 replay:anthropic replay:vertex-claude replay:deepseek-anthropic replay:bedrock replay:openai-responses replay:azure replay:github-copilot replay:xai replay:deepseek-responses replay:openai-chat replay:openrouter replay:deepseek replay:deepseek-r1-2025 replay:kimi replay:qwen replay:minimax replay:mistral replay:groq replay:cerebras replay:fireworks replay:together replay:zai-glm replay:vllm replay:ollama replay:cohere replay:llama.cpp replay:gemini-openai replay:gemini replay:vertex-gemini" -- "${cur}"))
                    return 0
                    ;;
                --unit)
                    COMPREPLY=($(compgen -W "message turn" -- "${cur}"))
                    return 0
                    ;;
                --context)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --agent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --empty)
                    COMPREPLY=($(compgen -W "keep drop" -- "${cur}"))
                    return 0
                    ;;
                --signatures)
                    COMPREPLY=($(compgen -W "keep drop" -- "${cur}"))
                    return 0
                    ;;
                --field)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --drop)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --stats)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                --in-place)
                    COMPREPLY=("${cur}")
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o nospace
                    fi
                    return 0
                    ;;
                -i)
                    COMPREPLY=("${cur}")
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o nospace
                    fi
                    return 0
                    ;;
                --close)
                    COMPREPLY=($(compgen -W "first balanced last" -- "${cur}"))
                    return 0
                    ;;
                --start)
                    COMPREPLY=($(compgen -W "auto visible reasoning" -- "${cur}"))
                    return 0
                    ;;
                --inline)
                    COMPREPLY=($(compgen -W "ask mention delimiter" -- "${cur}"))
                    return 0
                    ;;
                --blocks)
                    COMPREPLY=($(compgen -W "one all" -- "${cur}"))
                    return 0
                    ;;
                --marker)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -j)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        unthink__subcmd__tokens)
            opts="-m -o -O -0 -g -r -f -q -v -h --method --by --utc --sort --reverse --total --only-total --limit --compress-at --output --close --start --inline --blocks --marker --output-file --files-from --null --glob --hidden --no-ignore --recursive --from --framing --tag --tags --no-config --live --unclosed --profile --set --on-error --foreign --allow-unstripped --rejects --max-record --color --error-format --quiet --verbose --help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --method)
                    COMPREPLY=($(compgen -W "chars4 words o200k cl100k" -- "${cur}"))
                    return 0
                    ;;
                -m)
                    COMPREPLY=($(compgen -W "chars4 words o200k cl100k" -- "${cur}"))
                    return 0
                    ;;
                --by)
                    COMPREPLY=($(compgen -W "record message block file folder model day session project agent context" -- "${cur}"))
                    return 0
                    ;;
                --sort)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --compress-at)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output)
                    COMPREPLY=($(compgen -W "table jsonl json csv prometheus" -- "${cur}"))
                    return 0
                    ;;
                -o)
                    COMPREPLY=($(compgen -W "table jsonl json csv prometheus" -- "${cur}"))
                    return 0
                    ;;
                --close)
                    COMPREPLY=($(compgen -W "first balanced last" -- "${cur}"))
                    return 0
                    ;;
                --start)
                    COMPREPLY=($(compgen -W "auto visible reasoning" -- "${cur}"))
                    return 0
                    ;;
                --inline)
                    COMPREPLY=($(compgen -W "ask mention delimiter" -- "${cur}"))
                    return 0
                    ;;
                --blocks)
                    COMPREPLY=($(compgen -W "one all" -- "${cur}"))
                    return 0
                    ;;
                --marker)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --output-file)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -O)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                -f)
                    COMPREPLY=($(compgen -W "auto text tgi answers outputs dify gemini-stream mistral-conversations coze atif haystack a2a grok-export chat reasoning-content reasoning tagged harmony thinking-block mistral openrouter llxprt-session llxprt-checkpoint llxprt-log sharegpt mia goose anthropic interactions responses bedrock adk gemini assistants ollama cohere otel litellm-log har proxy-log langfuse langsmith cline codex openai-agents opencode vercel acp aistudio ag-ui antigravity autogen chatbox chatgpt cherry-studio claude-ai continue copilot-cli crush cursor-cli deepseek-export gemini-cli hermes-archive kimi-cli langchain librechat llama-factory llamaindex llama-cpp llm lm-studio lobechat open-webui pi pydantic-ai qwen-code sillytavern zed log-line columns s1k claude-code gromozeka mew" -- "${cur}"))
                    return 0
                    ;;
                --framing)
                    COMPREPLY=($(compgen -W "auto jsonl json sse text csv tsv" -- "${cur}"))
                    return 0
                    ;;
                --tag)
                    COMPREPLY=($(compgen -W "REASONING think thinking thinking-content thought thoughts reason reasoning REASONING_SCRATCHPAD scratchpad antThinking antml:thinking antml:reasoning thought_process chain_of_thought thinking_content scratch_pad ant_thinking internal_reasoning thinking_process reasoning_process internal_monologue inner_monologue inner_thoughts internal_thoughts cot longcat_think analysis budget:thinking details llama-ui 思考 反思 推理 推敲 [THINK] ◁think▷ ► **THINKING** seed:think mm:think kimi-k3 <|START_THINKING|> gemma4 gemma-unused94 ollama-run llama-cli granite apriel openpangu cwm doubao-seed plamo3 ifm|think ifm|think_fast ifm|think_faster <|inner_prefix|> hyperclovax solar-open <|begin_of_thought|> harmony muse inkling deepseek-r1 qwen3 minimax-m2 glm-4.5 nemotron step3.5" -- "${cur}"))
                    return 0
                    ;;
                --tags)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --unclosed)
                    COMPREPLY=($(compgen -W "visible reasoning error" -- "${cur}"))
                    return 0
                    ;;
                --profile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -W "reasoning.enabled=true reasoning.enabled=false reasoning.includeInContext=true reasoning.includeInContext=false reasoning.includeInResponse=true reasoning.includeInResponse=false reasoning.format=field reasoning.format=native reasoning.stripFromContext=none reasoning.stripFromContext=all reasoning.stripFromContext=all-but-last reasoning.stripFromContext=before-last-user reasoning.stripFromContext=keep-tool-turns reasoning.stripFromContext=keep-last-1 reasoning.effort=minimal reasoning.effort=low reasoning.effort=medium reasoning.effort=high reasoning.maxTokens= llm.postproc.enabled=true llm.postproc.enabled=false llm.postproc.reasoning.max_tokens= llm.postproc.reasoning.drop_from_history=true llm.postproc.reasoning.drop_from_history=false llm.postproc.ngram.n= llm.postproc.ngram.window= llm.postproc.collapse.whitespace=true llm.postproc.collapse.whitespace=false" -- "${cur}"))
                    return 0
                    ;;
                --on-error)
                    COMPREPLY=($(compgen -W "skip stop pass" -- "${cur}"))
                    return 0
                    ;;
                --foreign)
                    COMPREPLY=($(compgen -W "refuse pass text drop" -- "${cur}"))
                    return 0
                    ;;
                --rejects)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-record)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --error-format)
                    COMPREPLY=($(compgen -W "text json" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _unthink -o nosort -o bashdefault -o default unthink
else
    complete -F _unthink -o bashdefault -o default unthink
fi
