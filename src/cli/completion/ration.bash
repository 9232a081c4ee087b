# bash completion for ration(1). Installed as share/bash-completion/completions/ration; or source it.

_ration() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command='' i
    COMPREPLY=()
    # bash splits --type=over at the sign.
    if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi

    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
            --)
                if [[ $command == acquire ]]; then
                    if declare -F _command_offset >/dev/null; then
                        _command_offset $((i + 1))
                    else
                        COMPREPLY=($(compgen -c -- "$cur"))
                    fi
                fi
                return
                ;;
            --store | --command-timeout | --tls-ca | --tls-cert | --tls-key) ((i++)) ;;
            -*) ;;
            *) [[ -n $command ]] || command=${COMP_WORDS[i]} ;;
        esac
    done

    local algorithms='sliding_log fixed_window calendar_window token_bucket'
    case $prev in
        --algorithm) COMPREPLY=($(compgen -W "$algorithms" -- "$cur")); return ;;
        --type) COMPREPLY=($(compgen -W 'overall per-client' -- "$cur")); return ;;
        --traffic) COMPREPLY=($(compgen -W 'steady bursty on-off daily' -- "$cur") $(compgen -f -- "$cur")); return ;;
        --store) COMPREPLY=($(compgen -W 'memory: redis:// rediss:// unix:/' -- "$cur")); return ;;
        --out | --svg | --tls-ca | --tls-cert | --tls-key) COMPREPLY=($(compgen -f -- "$cur")); return ;;
        --keep-alive | --timeout | --client-id | --every | --samples | --workers | --rate | --grants | --duration | \
            --processes | --demand | --permits | --seed | --callers | --seconds | --keys | --command-timeout) return ;;
    esac

    local global='--store --json --command-timeout --tls-ca --tls-cert --tls-key --help' own=''
    case $command in
        '')
            COMPREPLY=($(compgen -W "set delete try acquire release info list watch demo simulate bench \
                $global --version" -- "$cur"))
            return
            ;;
        set) own='--type --algorithm --keep-alive --if-absent --if-changed --keep-state' ;;
        try) own='--timeout --client-id --algorithm' ;;
        acquire) own='--client-id --algorithm --' ;;
        release | info) own='--client-id --algorithm' ;;
        watch) own='--every --samples' ;;
        demo) own='--workers --rate --processes --grants --duration --algorithm' ;;
        simulate) own='--traffic --demand --duration --permits --seed --out' ;;
        bench) own='--callers --permits --seconds --keys --hot --spread --rate --algorithm --svg --yes-load-this-server' ;;
    esac
    [[ $cur != -* ]] || COMPREPLY=($(compgen -W "$own $global" -- "$cur"))
}

complete -F _ration ration
